/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome of a check in one line. */
#pragma once

#include "compare/result.h"

/* One line that says the outcome: the first reason, or "N benchmarks passed", with what is accepted; in the other modes
 * it begins with what was done, and that of one of several shards with the number of that. Owned by the caller. */
char *check_result_reason(const CheckResult *result);
