/* `summary.md`: the result for a CI system's step summary (GitHub, GitLab, Buildkite).
 *
 * Verdict and sentence, the commits, one table of all metrics, the functions of each benchmark folded away, findings,
 * and what to open. The result is made of blocks (textblocks.h): a benchmark's row, a row of a function, a finding. If
 * they do not fit, the least important ones are left out whole and the text says how many of what. All foreign text is
 * escaped. */
#pragma once

#include "compare/result.h"

/* GitHub refuses a step summary above 1 MiB as a whole; the rest is left for what else a job writes into it. */
#define SUMMARY_MAX_BYTES ((gsize)900 * 1024)
/* A comment may have 65,536 characters; GitHub refuses a longer one. */
#define SUMMARY_COMMENT_BYTES ((gsize)64000)
/* Verdict, sentence and commits always fit into this. */
#define SUMMARY_MIN_BYTES ((gsize)8192)

/* At most `max_bytes` of Markdown (0 = SUMMARY_MAX_BYTES, and never less than SUMMARY_MIN_BYTES); the heading and the
 * commits are kept in any case. Sets *length (may be NULL). Owned by the caller. */
char *summary_markdown(const CheckResult *result, gsize max_bytes, gsize *length);
