/* SPDX-License-Identifier: Apache-2.0 */
/* JUnit XML: what GitLab, Jenkins and most others show as a list of tests.
 *
 * One testcase per benchmark and metric (`classname` is the benchmark, `name` the metric with its engine) and one per
 * list of functions. A gating regression is a failure, what could not be measured an error, and what is inconclusive or
 * does not gate is skipped, each with its text. Should no testcase of a benchmark, or of the check, be as grave as its
 * verdict, one more named `verdict` says it: who reads only this file never sees a pass that was none.
 *
 * `name` + `classname` is unique, since readers keep only the first of equal ones. Texts are cut and escaped. There are
 * no times: equal results give equal bytes. */
#pragma once

#include "compare/result.h"

/* GitLab refuses files of 30 MB. */
#define JUNIT_MAX_BYTES ((gsize)20 * 1024 * 1024)

/* At most `max_bytes` (0 = JUNIT_MAX_BYTES) and a kilobyte around them: passed cases are left out first, then skipped
 * ones, and a case says how many. Sets *length (may be NULL). Owned by the caller. */
char *junit_xml(const CheckResult *result, gsize max_bytes, gsize *length);
