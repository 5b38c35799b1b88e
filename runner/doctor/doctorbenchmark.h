/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a machine can measure what the benchmarks of a configuration ask for. */
#pragma once

#include "runner/config/config.h"
#include "runner/doctor/doctor.h"

/* An array of DoctorCheck, owned by the caller: for each benchmark a good one named "benchmark NAME", or one for
 * everything that it asks for in vain. DOCTOR_MISSING is what ends a check without a verdict on that benchmark (an
 * engine that is not there, a metric that gates and cannot be measured, layouts without their linker), DOCTOR_LIMITED
 * what is left out. */
GArray *doctor_examine_benchmarks(const Config *config, const DoctorMachine *machine);
