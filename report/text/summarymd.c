/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/summarymd.h"

#include "model/numbers/number.h"
#include "report/text/markdowntext.h"
#include "report/text/summarydetails.h"
#include "report/text/summarylook.h"
#include "report/text/summarysteps.h"
#include "report/words/benchmarkline.h"
#include "report/words/headline.h"
#include "report/words/highlights.h"
#include "report/words/wording.h"

#include <string.h>

#define HEADLINE_MAX_CHARS 400
#define SHA_MAX_CHARS 64
#define NOTE_BYTES 400 /* more than the sentence about what is left out takes */

/* --- above the table --- */

/* A pass that compared nothing must not look like one that found nothing. */
static const char *heading_sign(const CheckResult *result)
{
	return headline_is_first_run(result) ? markdown_standing_sign(STANDING_NEW)
	                                     : markdown_verdict_sign(result->verdict);
}

static void add_heading(TextBlocks *blocks, const Summary *summary)
{
	const CheckResult *result = summary->result;
	GString *out = text_blocks_add(blocks, KEEP, PART_FRAME);
	g_autofree char *headline = headline_text(result);
	g_autofree char *shortened = wording_shorten_words(headline, HEADLINE_MAX_CHARS);
	g_string_append_printf(out, "## %s %s: ", heading_sign(result), headline_word(result));
	markdown_text(out, shortened);
	g_string_append(out, "\n\n");
}

static void add_counts(TextBlocks *blocks, const CheckResult *result)
{
	if (result->mode != CHECK_GATE || result->benchmarks->len == 0)
		return;
	g_autofree char *counts = standing_counts(result);
	GString *out = text_blocks_add(blocks, KEEP, PART_FRAME);
	g_string_append(out, counts);
	if (result->shards != NULL && shard_set_single(result->shards) == NULL)
		g_string_append_printf(out, "; joined from %u shards", result->shards->total);
	g_string_append(out, "\n\n");
}

static void add_side(TextBlocks *blocks, const char *word, const ResultSide *side)
{
	GString *out = text_blocks_add(blocks, KEEP, PART_FRAME);
	g_autofree char *sha = wording_shorten(side->sha, SHA_MAX_CHARS);
	g_string_append_printf(out, "%s ", word);
	markdown_code(out, *sha == '\0' ? "?" : sha);
	out = text_blocks_add(blocks, DROP_REASON, PART_FRAME);
	if (*side->ref != '\0') {
		g_string_append(out, " (");
		markdown_code(out, side->ref);
		g_string_append_c(out, ')');
	}
	if (*side->subject != '\0') {
		g_string_append(out, " ");
		markdown_text(out, side->subject);
	}
}

static void add_sides(TextBlocks *blocks, const CheckResult *result)
{
	add_side(blocks, "base", &result->base);
	g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "<br>\n→ ");
	add_side(blocks, "head", &result->head);
	GString *out = text_blocks_add(blocks, DROP_REASON, PART_FRAME);
	if (*result->base.chosen_by != '\0') {
		g_string_append(out, "<br>\nbase chosen by ");
		markdown_code(out, result->base.chosen_by);
	}
	g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n\n");
}

/* --- below it --- */

/* The reasons that the rows of the table say already, by the name of the benchmark. */
static GHashTable *said_reasons(const Summary *summary)
{
	GHashTable *said = g_hash_table_new(g_str_hash, g_str_equal);
	for (guint i = 0; summary->result->mode == CHECK_GATE && i < summary->n_look; i++) {
		const StandingRow *row = &g_array_index(summary->rows, StandingRow, i);
		g_hash_table_insert(
		        said, row->benchmark->name, (gpointer)benchmark_line_reason(summary->result, row->benchmark));
	}
	return said;
}

static gboolean is_said(GHashTable *said, const ResultReason *reason)
{
	const char *text = reason->benchmark != NULL ? g_hash_table_lookup(said, reason->benchmark) : NULL;
	return text != NULL && g_str_equal(text, reason->text);
}

/* The first reason is in the headline. What base said of a new benchmark is a remark. */
static void add_reasons(TextBlocks *blocks, const Summary *summary)
{
	const GPtrArray *reasons = summary->result->reasons;
	g_autoptr(GHashTable) said = said_reasons(summary);
	GString *out = NULL;
	for (guint i = 1; i < reasons->len; i++) {
		const ResultReason *reason = g_ptr_array_index(reasons, i);
		if (is_said(said, reason) || reason->exit_code == 0)
			continue;
		g_autofree char *text = benchmark_line_about(reason->benchmark, reason->text);
		out = text_blocks_add(blocks, DROP_REASON, PART_REMARK);
		g_string_append(out, "- ");
		markdown_message(out, text);
		g_string_append_c(out, '\n');
	}
	if (out != NULL)
		g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

/* Where the files are that a line has named. */
static void append_folder(GString *out, const Summary *summary)
{
	const char *artifact = summary->links != NULL ? summary->links->artifact : NULL;
	if (artifact == NULL)
		g_string_append(out, " of the output folder, to open in a browser");
	else if (!g_str_has_suffix(artifact, "/"))
		g_string_append_printf(out, " in [the artifact](%s)", artifact);
}

static void append_pictures(GString *out, const Summary *summary, const ResultBenchmark *benchmark, const char *file)
{
	g_autoptr(GPtrArray) extra = highlights_extra_diffs(benchmark);
	g_string_append(out, "- differential flame graph of ");
	markdown_code(out, benchmark->name);
	g_string_append(out, ": ");
	summary_append_file(out, summary, file);
	append_folder(out, summary);
	for (guint i = 0; i < extra->len; i++) {
		g_string_append(out, i == 0 ? "; extra profiles: " : ", ");
		summary_append_file(out, summary, extra->pdata[i]);
	}
	g_string_append_c(out, '\n');
}

static void add_files(TextBlocks *blocks, const Summary *summary)
{
	if (summary->rows->len == 0)
		return;
	GString *out = text_blocks_add(blocks, DROP_REASON, PART_REMARK);
	g_string_append(out, "- everything in one page: ");
	summary_append_file(out, summary, "report.html");
	append_folder(out, summary);
	g_string_append_c(out, '\n');
	/* the page has the pictures of all, and of what did not change nobody looks for one */
	for (guint i = 0; i < summary->n_look; i++) {
		const ResultBenchmark *benchmark = g_array_index(summary->rows, StandingRow, i).benchmark;
		const char *file = highlights_artifact(benchmark, "diff_svg");
		if (file != NULL)
			append_pictures(text_blocks_add(blocks, DROP_WARNING, PART_REMARK), summary, benchmark, file);
	}
	g_string_append(text_blocks_add(blocks, KEEP, PART_FRAME), "\n");
}

/* --- the whole --- */

/* "40 benchmarks, 1 function and 3 remarks". Owned by the caller. */
static char *count_parts(const guint dropped[TEXT_BLOCK_KINDS])
{
	static const char *const words[PARTS][2] = {
	        [PART_BENCHMARK] = {"benchmark", "benchmarks"},
	        [PART_METRIC] = {"table of metrics", "tables of metrics"},
	        [PART_FUNCTION] = {"function", "functions"},
	        [PART_REMARK] = {"remark", "remarks"},
	};
	GString *out = g_string_new(NULL);
	for (guint i = PART_BENCHMARK; i < PARTS; i++)
		if (dropped[i] > 0) {
			g_autofree char *count = number_count(dropped[i]);
			g_string_append_printf(
			        out, "%s%s %s", out->len > 0 ? ", " : "", count, words[i][dropped[i] != 1]);
		}
	if (out->len == 0)
		g_string_append(out, "the names of the commits");
	return g_string_free(out, FALSE);
}

/* Makes room, and for the sentence that says what for; NULL if all fits. Owned by the caller. */
static char *make_room(TextBlocks *blocks, gsize max_bytes)
{
	guint dropped[TEXT_BLOCK_KINDS] = {0};
	if (text_blocks_bytes(blocks) <= max_bytes)
		return NULL;
	text_blocks_drop(blocks, max_bytes - NOTE_BYTES, dropped);
	g_autofree char *parts = count_parts(dropped), *limit = number_count(max_bytes);
	return g_strdup_printf("\nLeft out to stay within %s bytes: %s. `report.html` and `report.json` of the output "
	                       "folder have everything.\n",
	        limit, parts);
}

/* Where base was measured against itself, a regression is no fault of the code, and the headline says what it is. */
static void add_all(TextBlocks *blocks, const Summary *summary)
{
	add_heading(blocks, summary);
	add_counts(blocks, summary->result);
	add_sides(blocks, summary->result);
	if (summary->result->mode == CHECK_GATE)
		summary_look_add(blocks, summary);
	summary_decide_add(blocks, summary);
	add_reasons(blocks, summary);
	summary_findings_add(blocks, summary, TRUE);
	add_files(blocks, summary);
	summary_steps_add(blocks, summary);
	summary_passed_add(blocks, summary);
	summary_metrics_add(blocks, summary);
	summary_functions_add(blocks, summary);
	summary_remarks_add(blocks, summary);
}

/* At most `max_bytes` of it, with the marker of a comment in front unless `id` is NULL. */
static char *render(
        const CheckResult *result, const SummaryOptions *options, const char *id, gsize max_bytes, gsize *length)
{
	g_autoptr(TextBlocks) blocks = text_blocks_new();
	guint n_look;
	g_autoptr(GArray) rows = standing_rows(result, &n_look);
	Summary summary = {
	        .result = result, .links = options != NULL ? &options->links : NULL, .rows = rows, .n_look = n_look};
	if (id != NULL)
		g_string_append_printf(
		        text_blocks_add(blocks, KEEP, PART_FRAME), "<!-- firebreak-comment: %s -->\n", id);
	add_all(blocks, &summary);
	gsize limit =
	        options != NULL && options->max_bytes > 0 ? MAX(options->max_bytes, SUMMARY_MIN_BYTES) : max_bytes;
	g_autofree char *note = make_room(blocks, limit);
	GString *out = g_string_new(NULL);
	text_blocks_append(out, blocks);
	g_string_append(out, note != NULL ? note : "");
	if (length != NULL)
		*length = out->len;
	return g_string_free(out, FALSE);
}

char *summary_markdown(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	return render(result, options, NULL, SUMMARY_MAX_BYTES, length);
}

char *summary_comment(const CheckResult *result, const SummaryOptions *options, gsize *length)
{
	const char *id = options != NULL && options->id != NULL ? options->id : SUMMARY_COMMENT_ID;
	return render(result, options, id, SUMMARY_COMMENT_BYTES, length);
}

gboolean summary_id_is_valid(const char *id)
{
	gsize length = strnlen(id, SUMMARY_ID_MAX_BYTES + 1);
	return length > 0 && length <= SUMMARY_ID_MAX_BYTES &&
	       strspn(id, G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "._-") == length;
}
