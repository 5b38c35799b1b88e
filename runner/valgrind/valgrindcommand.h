/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the command of valgrind: its options, and an environment that is the same for every side, campaign and machine.
 *
 * What the kernel and valgrind lay above the stack pointer before a program starts - its arguments, its environment,
 * the auxiliary vector - moves the stack, and with it what the stack's alignment decides. FIREBREAK_PAD fills it up to
 * a multiple of 16 KiB, whatever the lengths of paths are. */
#pragma once

#include "runner/executor.h"
#include "runner/valgrind/valgrind.h"
#include "runner/valgrind/valgrindfiles.h"

typedef struct {
	const Valgrind *valgrind;
	const RunRequest *request;
	const char *kind;   /* VALGRIND_CALLGRIND or VALGRIND_DHAT */
	const char *folder; /* where the files go, absolute */
	const char *dir;    /* the run's own folder (runner/runfolder.h) */
} ValgrindCommand;

/* The argument vector, NULL-terminated: a GPtrArray of texts, owned by the caller. */
GPtrArray *valgrind_command_argv(const ValgrindCommand *command);
/* The environment. libc's tunables come before those of the user, who has the last word. Owned by the caller. */
char **valgrind_command_environment(const ValgrindCommand *command);
