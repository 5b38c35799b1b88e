/* SPDX-License-Identifier: Apache-2.0 */
/* The review of a result in Markdown: `summary.md` for the summary page of a CI job, and with a marker `comment.md` for
 * the pull request or merge request. One text, two sizes.
 *
 *     ## ❌ Regression: catalog (confirmed): task-clock +13.4 % [+12.1, +14.7], caused by hash_word: +17.6 pp
 *     1 regressed, 1 improved, 7 passed
 *     base ... → head ...
 *     | benchmark | result | change | main cause |        what needs a look, and where to look
 *     what to open
 *     ▸ Reproduce it locally     ▸ Accept it     ▸ 7 passed     ▸ All metrics     ▸ functions     ▸ Remarks
 *
 * The result is made of blocks (textblocks.h): a benchmark's row, a row of a function, a finding. If they do not fit,
 * the least important ones are left out whole and the text says how many of what. All foreign text is escaped. */
#pragma once

#include "report/text/reviewlinks.h"

/* GitHub refuses a step summary above 1 MiB as a whole; the rest is left for what else a job writes into it. */
#define SUMMARY_MAX_BYTES ((gsize)900 * 1024)
/* A comment may have 65,536 characters; GitHub refuses a longer one. */
#define SUMMARY_COMMENT_BYTES ((gsize)64000)
/* Verdict, sentence and commits always fit into this. */
#define SUMMARY_MIN_BYTES ((gsize)8192)

/* The marker of a comment has this id where nothing else is said. */
#define SUMMARY_COMMENT_ID "firebreak"
#define SUMMARY_ID_MAX_BYTES 64

/* Zeroes are the defaults. */
typedef struct {
	gsize max_bytes;   /* 0 = that of the text; never less than SUMMARY_MIN_BYTES */
	const char *id;    /* in the marker of a comment: [A-Za-z0-9._-]; NULL = SUMMARY_COMMENT_ID */
	ReviewLinks links; /* what it points to */
} SummaryOptions;

/* At most SUMMARY_MAX_BYTES of Markdown; the heading and the commits are kept in any case. `options` may be NULL. Sets
 * *length (may be NULL). Owned by the caller. */
char *summary_markdown(const CheckResult *result, const SummaryOptions *options, gsize *length);
/* The same of at most SUMMARY_COMMENT_BYTES, with a first line that no reader sees and by which the comment is found
 * again: `<!-- firebreak-comment: ID -->`. */
char *summary_comment(const CheckResult *result, const SummaryOptions *options, gsize *length);
/* TRUE if the text can be the id of a comment. */
gboolean summary_id_is_valid(const char *id);
