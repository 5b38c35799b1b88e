/* `summary.md`: the result for a CI system's step summary (GitHub, GitLab, Buildkite).
 *
 * Verdict and sentence, the commits, one table of all metrics, the functions of each benchmark folded away, findings,
 * and what to open. The result is made of blocks (a table row, a benchmark's functions, a finding); if they do not fit,
 * the least important ones are left out whole and the text says how many. All foreign text is escaped. */
#pragma once

#include "compare/result.h"

/* GitHub refuses a step summary above 1 MiB as a whole; the rest is left for what else a job writes into it. */
#define SUMMARY_MAX_BYTES ((gsize)900 * 1024)

/* At most `max_bytes` (0 = SUMMARY_MAX_BYTES) of Markdown; the heading and the commits are kept in any case. Sets
 * *length (may be NULL). Owned by the caller. */
char *summary_markdown(const CheckResult *result, gsize max_bytes, gsize *length);
