/* What this machine lets this process measure, point by point, with what it means and how to get more.
 *
 * Each point is tried, not guessed: an event is opened and closed again, a file is read. Nothing is changed. */
#pragma once

#include "runner/perfevent.h"

typedef enum {
	DOCTOR_GOOD,
	DOCTOR_LIMITED, /* works, but less than it could */
	DOCTOR_MISSING,
} DoctorState;

typedef struct {
	const char *name; /* "kernel mode"; static */
	DoctorState state;
	char *text;         /* what is, and what follows from it; one line */
	const char *remedy; /* how to get more; NULL = nothing to do. Static */
} DoctorCheck;

/* All checks, in the order in which they matter; an array of DoctorCheck that owns its texts. `abilities` is NULL if
 * not even the software clock can be opened. */
GArray *doctor_examine(const PerfAbilities *abilities);
/* "good", "limited", "missing". */
const char *doctor_state_name(DoctorState state);
