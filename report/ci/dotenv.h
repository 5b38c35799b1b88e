/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome as variables for later jobs of a pipeline, in the form that GitLab takes as a dotenv report: NAME=VALUE
 * lines without quotes, comments or empty lines, below 5 KB.
 *
 *     FIREBREAK_VERDICT=regression
 *     FIREBREAK_EXIT_CODE=1
 *     FIREBREAK_MEASURED=true
 *     FIREBREAK_HEADLINE=catalog: task-clock +13.4 % [+12.1, +14.7], caused by hash_word: +17.6 pp
 *
 * FIREBREAK_MEASURED is what --on-inconclusive=pass asks (compare/measured.h). The headline holds foreign text, escaped
 * so that neither a line nor a variable begins in it. */
#pragma once

#include "compare/result.h"

/* Of a headline, in bytes as they stand. */
#define DOTENV_HEADLINE_MAX_BYTES 1024

/* The lines; sets *length (may be NULL). Owned by the caller. */
char *dotenv_text(const CheckResult *result, gsize *length);
