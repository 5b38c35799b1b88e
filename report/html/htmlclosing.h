/* SPDX-License-Identifier: Apache-2.0 */
/* The part of report.html on the whole check, below its benchmarks: findings, how to repeat it, and the environment. */
#pragma once

#include "report/html/htmlpage.h"

#include "compare/result.h"

/* The sections; what is not known is left out, and of very many findings those that matter least, with a word on how
 * many. Owned by the caller. */
char *html_closing(const CheckResult *result);
