/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what this machine lets this process measure, point by point, with what it means and how to get more; and
 * whether that is enough for the benchmarks of a configuration (runner/doctor/doctorbenchmark.h).
 *
 * Each point is tried, not guessed: an event is opened and closed again, a file is read. Nothing is changed. */
#pragma once

#include "runner/events/perfevent.h"
#include "runner/valgrind/valgrind.h"

typedef enum {
	DOCTOR_GOOD,
	DOCTOR_LIMITED, /* works, but less than it could */
	DOCTOR_MISSING,
} DoctorState;

typedef struct {
	char *name; /* "kernel mode" */
	DoctorState state;
	char *text;   /* what is, and what follows from it; one line */
	char *remedy; /* how to get more; NULL = nothing to do */
} DoctorCheck;

/* The facts that have been found already; all borrowed. */
typedef struct {
	const PerfAbilities *abilities; /* NULL if not even the software clock can be opened */
	const Valgrind *valgrind;       /* NULL if it cannot be used */
	const char *no_valgrind;        /* why, as valgrind_find() says it; NULL = it can */
} DoctorMachine;

/* An empty array of DoctorCheck, which owns their texts. */
GArray *doctor_checks_new(void);
/* Appends a check; name and remedy (which may be NULL) are copied. */
void doctor_add(GArray *checks, const char *name, DoctorState state, const char *remedy, const char *format, ...)
        G_GNUC_PRINTF(5, 6);

/* All checks of the machine, in the order in which they matter. Owned by the caller. */
GArray *doctor_examine(const DoctorMachine *machine);
/* Tries to record waits (the profile off-cpu). Returns 0, or errno of the refusal. */
int doctor_try_off_cpu(void);
/* "good", "limited", "missing". */
const char *doctor_state_name(DoctorState state);
