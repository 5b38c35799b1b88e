/* SPDX-License-Identifier: Apache-2.0 */
/* The one error domain of firebreak.
 *
 * A code is the class of a failure, and the low byte of its number is the exit code of the program, so that a failure
 * keeps its class on the whole way from the system call to the shell. Messages are one line, lower case, without full
 * stop; they name the thing and the remedy. Context is added on the way up with g_prefix_error(). */
#pragma once

#include <glib.h>

#define FIREBREAK_ERROR (firebreak_error_quark())

typedef enum {
	FIREBREAK_ERROR_USAGE = 2,       /* usage or configuration, also a revision that is not in the clone */
	FIREBREAK_ERROR_INVALID = 4,     /* measurement invalid: benchmark failed, timed out, lost data, escaped */
	FIREBREAK_ERROR_BUILD = 5,       /* a side does not build */
	FIREBREAK_ERROR_BASELINE = 6,    /* stored baseline missing, corrupt or not comparable */
	FIREBREAK_ERROR_STORAGE = 7,     /* reading or writing files, objects, refs, output */
	FIREBREAK_ERROR_ENVIRONMENT = 8, /* this machine cannot do it: permissions, missing programs */
	FIREBREAK_ERROR_POLICY = 9,      /* the head weakens the gate */
	/* of the class of FIREBREAK_ERROR_INVALID, with reasons of their own */
	FIREBREAK_ERROR_CALIBRATES = 0x104, /* a program calibrates itself */
	FIREBREAK_ERROR_TIMEOUT = 0x204,    /* a run was ended by its timeout, which a deadline shortens */
} FirebreakError;

/* The domain of all errors of firebreak. */
GQuark firebreak_error_quark(void);

/* The exit code of an error: that of its code if it is one of ours, else FIREBREAK_ERROR_STORAGE (GLib's own errors are
 * those of files and processes). `error` is borrowed and not NULL. */
int firebreak_error_exit_code(const GError *error);

/* Sets *error to "<what>: <strerror(errno_value)>" with the given code. `error` may be NULL. Returns FALSE. */
gboolean firebreak_set_errno(GError **error, FirebreakError code, int errno_value, const char *format, ...)
        G_GNUC_PRINTF(4, 5);
/* Sets *error to a message with the given code. `error` may be NULL. Returns FALSE, so that a check can end with it. */
gboolean firebreak_refuse(GError **error, FirebreakError code, const char *format, ...) G_GNUC_PRINTF(3, 4);
