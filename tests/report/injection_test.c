/* SPDX-License-Identifier: Apache-2.0 */
/* Every output of hostile texts (hostile.h, corpus.h). Run as `injection_test SINK hostile|harmless` it writes what
 * that sink makes of each text, for the parsers of others (injection_check.py); alone it tests what needs no parser or
 * one that is linked anyway. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/escape.h"
#include "core/jsontext.h"
#include "profile/exchange/firefoxwrite.h"
#include "profile/exchange/pprofwrite.h"
#include "profile/exchange/speedscopewrite.h"
#include "profile/folded/difffolded.h"
#include "profile/folded/folded.h"
#include "report/flame/flamediff.h"
#include "report/flame/flamesvg.h"
#include "report/json/reportjson.h"
#include "report/output/outputforms.h"
#include "report/text/difftable.h"
#include "report/text/summarymd.h"
#include "report/text/terminaltext.h"
#include "report/text/toptext.h"
#include "report/words/highlights.h"
#include "tests/report/corpus.h"
#include "tests/report/hostile.h"

#include <stdio.h>

/* The material that outputs are made of. */
typedef struct {
	const char *text;
	CheckResult *failed, *broken;
	const ResultBenchmark *benchmark; /* of `failed` */
	const Profile *base, *head;
} Case;

static Case case_new(const char *text)
{
	Case c = {.text = text, .failed = hostile_check(text, FALSE), .broken = hostile_check(text, TRUE)};
	c.benchmark = g_ptr_array_index(c.failed->benchmarks, 0);
	c.base = c.benchmark->base->profile;
	c.head = c.benchmark->head->profile;
	return c;
}

static void case_clear(Case *c)
{
	check_result_free(c->failed);
	check_result_free(c->broken);
}

static GString *taken(char *text, gsize length)
{
	GString *out = g_string_new_len(text, (gssize)length);
	g_free(text);
	return out;
}

/* --- sinks of a result --- */

typedef char *(*ResultFunc)(const CheckResult *result, gsize *length);

static char *cut(const CheckResult *result, gsize *length)
{
	return summary_markdown(result, &(SummaryOptions){.max_bytes = SUMMARY_MIN_BYTES}, length);
}

static char *linked(const CheckResult *result, const char *review, const char *artifact, gsize *length)
{
	g_auto(ReviewLinks) links = {0};
	g_assert_true(review_links_set_review(&links, review) && review_links_set_artifact(&links, artifact));
	return summary_comment(result, &(SummaryOptions){.links = links}, length);
}

static char *on_github(const CheckResult *result, gsize *length)
{
	return linked(result, "https://forge.example/o/r/pull/12", "https://forge.example/artifacts/2", length);
}

static char *on_gitlab(const CheckResult *result, gsize *length)
{
	return linked(result, "https://forge.example/o/r/-/merge_requests/3", "https://forge.example/file/", length);
}

static char *narrow_terminal(const CheckResult *result, gsize *length)
{
	char *text = terminal_text(
	        result, &(TerminalOptions){.details = TRUE, .colour = TRUE, .width = 80, .out_dir = "out"});
	*length = strlen(text);
	return text;
}

static char *wide_terminal(const CheckResult *result, gsize *length)
{
	char *text = terminal_text(
	        result, &(TerminalOptions){.details = TRUE, .out_dir = "out", .page = TRUE, .bars = TRUE});
	*length = strlen(text);
	return text;
}

/* The form that a check ends with: rows and next steps, with links. */
static char *short_terminal(const CheckResult *result, gsize *length)
{
	char *text = terminal_text(
	        result, &(TerminalOptions){.colour = TRUE, .links = TRUE, .width = 80, .out_dir = "out", .page = TRUE});
	*length = strlen(text);
	return text;
}

/* --- sinks of profiles --- */

static GString *report_sink(const Case *c)
{
	gsize length;
	g_autoptr(CheckResult) result = hostile_check(*c->text != '\0' ? c->text : "?", TRUE);
	hostile_keep_to_schema(result);
	char *text = report_json(result, &length);
	return taken(text, length);
}

static GString *flame_sink(const Case *c)
{
	gsize length;
	FlameOptions options = {.count_name = c->text};
	FlameGraph graph = {
	        .profile = c->head, .benchmark = c->text, .title = c->text, .sentence = c->text, .options = &options};
	char *text = flame_svg(&graph, &length);
	return taken(text, length);
}

static GString *diff_sink(const Case *c)
{
	gsize length;
	FlameDiff diff = {.base = c->base,
	        .head = c->head,
	        .comparison = c->benchmark->comparison,
	        .benchmark = c->text,
	        .title = c->text};
	char *text = flame_diff_svg(&diff, &length);
	return taken(text, length);
}

static GString *folded_sink(const Case *c)
{
	char *text = folded_write(c->head, FOLDED_ALL_RUNS, FOLDED_SAMPLES);
	return taken(text, strlen(text));
}

static GString *two_columns_sink(const Case *c)
{
	char *text = folded_write_diff(c->base, c->head, FOLDED_SAMPLES);
	return taken(text, strlen(text));
}

static GString *difffolded_sink(const Case *c)
{
	g_autofree char *base = folded_write(c->base, FOLDED_ALL_RUNS, FOLDED_SAMPLES);
	g_autofree char *head = folded_write(c->head, FOLDED_ALL_RUNS, FOLDED_SAMPLES);
	g_autoptr(DiffFolded) diff = diff_folded_new(&(DiffFoldedOptions){.normalize = FALSE});
	diff_folded_add(diff, DIFF_FOLDED_BASE, base, strlen(base), NULL);
	diff_folded_add(diff, DIFF_FOLDED_HEAD, head, strlen(head), NULL);
	char *text = diff_folded_text(diff);
	return taken(text, strlen(text));
}

static ExportedProfile exported(const Case *c)
{
	return (ExportedProfile){.head = c->head, .base = c->base, .name = c->text, .exporter = c->text};
}

static GString *pprof_sink(const Case *c)
{
	ExportedProfile profile = exported(c);
	return pprof_write(&profile);
}

static GString *speedscope_sink(const Case *c)
{
	ExportedProfile profile = exported(c);
	return speedscope_write(&profile);
}

static GString *firefox_sink(const Case *c)
{
	ExportedProfile profile = exported(c);
	return firefox_write(&profile);
}

/* `top` of head, of all functions, or with the callers and callees of those with the foreign name. */
static GString *top_sink(const Case *c, gboolean json, gboolean calls)
{
	const char *const files[] = {c->text, NULL};
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(Hotspots) hotspots = hotspots_new(c->head);
	g_autoptr(HotPatterns) patterns = hot_patterns_new(c->head, FALSE);
	g_autoptr(GArray) found = hotspots_find(hotspots, c->text);
	g_autofree gboolean *chosen = g_new0(gboolean, hotspots->n_frames);
	for (guint i = 0; i < found->len; i++)
		chosen[g_array_index(found, FrameId, i).index] = TRUE;
	g_autoptr(HotspotCalls) surroundings = calls ? hotspot_calls_new(c->head, chosen) : NULL;
	finding_add(findings, FINDING_WARNING, "remark", NULL, "%s", c->text);
	HotGrouping grouping;
	hot_grouping_init(&grouping);
	g_autoptr(HotGroups) groups = hot_groups_new(c->head, &grouping);
	TopReport top = {.profile = c->head,
	        .groups = groups,
	        .files = files,
	        .hotspots = hotspots,
	        .patterns = patterns,
	        .findings = findings,
	        .calls = surroundings,
	        .chosen = found};
	char *text = json ? top_json(&top, NULL) : top_text(&top, &(TopTextOptions){.colour = TRUE, .wide = TRUE});
	hot_grouping_clear(&grouping);
	return taken(text, strlen(text));
}

static GString *top_text_sink(const Case *c)
{
	return top_sink(c, FALSE, FALSE);
}

static GString *top_calls_sink(const Case *c)
{
	return top_sink(c, FALSE, TRUE);
}

static GString *top_json_sink(const Case *c)
{
	return top_sink(c, TRUE, TRUE);
}

static GString *table_sink(const Case *c, gboolean json)
{
	const char *const files[] = {c->text, NULL};
	DiffTable table = {.base = {c->base, 1, files},
	        .head = {c->head, 1, files},
	        .comparison = c->benchmark->comparison,
	        .per = "run",
	        .remark = c->text,
	        .findings = c->failed->findings};
	char *text = json ? diff_table_json(&table, NULL) : diff_table_text(&table, &(DiffTextOptions){.colour = TRUE});
	return taken(text, strlen(text));
}

static GString *table_text_sink(const Case *c)
{
	return table_sink(c, FALSE);
}

static GString *table_json_sink(const Case *c)
{
	return table_sink(c, TRUE);
}

/* --- all of them --- */

typedef struct {
	const char *name;
	ResultFunc of_result; /* or */
	GString *(*of_profiles)(const Case *c);
	gboolean broken; /* of_result gets the check that is an error */
} Sink;

static const Sink sinks[] = {
        {"report.json", NULL, report_sink, TRUE},
        {"flame.svg", NULL, flame_sink, FALSE},
        {"diff.svg", NULL, diff_sink, FALSE},
        {"cut.md", cut, NULL, FALSE},
        {"github.md", on_github, NULL, FALSE},
        {"gitlab.md", on_gitlab, NULL, FALSE},
        {"narrow.terminal", narrow_terminal, NULL, FALSE},
        {"short.terminal", short_terminal, NULL, TRUE},
        {"wide.terminal", wide_terminal, NULL, TRUE},
        {"top.terminal", NULL, top_text_sink, FALSE},
        {"calls.terminal", NULL, top_calls_sink, FALSE},
        {"diff.terminal", NULL, table_text_sink, FALSE},
        {"top.json", NULL, top_json_sink, FALSE},
        {"diff.json", NULL, table_json_sink, FALSE},
        {"one.folded", NULL, folded_sink, FALSE},
        {"two.folded", NULL, two_columns_sink, FALSE},
        {"diff.folded", NULL, difffolded_sink, FALSE},
        {"profile.pprof", NULL, pprof_sink, FALSE},
        {"profile.speedscope", NULL, speedscope_sink, FALSE},
        {"profile.firefox", NULL, firefox_sink, FALSE},
};

/* Every form with a renderer is a sink, of the check that failed as <file>, of the broken one as error-<file>. */
#define ERROR_PREFIX "error-"

static const Sink *find_sink(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(sinks); i++)
		if (g_str_equal(sinks[i].name, name))
			return &sinks[i];
	return NULL;
}

/* The names of all sinks; owned by the caller. */
static GPtrArray *sink_names(void)
{
	guint n;
	const OutputForm *forms = output_forms(&n);
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	for (gsize i = 0; i < G_N_ELEMENTS(sinks); i++)
		g_ptr_array_add(names, g_strdup(sinks[i].name));
	for (guint i = 0; i < n; i++) {
		if (forms[i].render == NULL || find_sink(forms[i].file) != NULL)
			continue;
		g_ptr_array_add(names, g_strdup(forms[i].file));
		g_ptr_array_add(names, g_strconcat(ERROR_PREFIX, forms[i].file, NULL));
	}
	return names;
}

static GString *render_form(const char *name, const Case *c)
{
	guint n;
	gsize length;
	const OutputForm *forms = output_forms(&n);
	gboolean broken = g_str_has_prefix(name, ERROR_PREFIX);
	const char *file = broken ? name + strlen(ERROR_PREFIX) : name;
	for (guint i = 0; i < n; i++) {
		if (!g_str_equal(forms[i].file, file))
			continue;
		char *text = forms[i].render(broken ? c->broken : c->failed, NULL, &length);
		return taken(text, length);
	}
	g_assert_not_reached();
}

static GString *render(const char *name, const Case *c)
{
	gsize length;
	const Sink *sink = find_sink(name);
	if (sink == NULL)
		return render_form(name, c);
	if (sink->of_profiles != NULL)
		return sink->of_profiles(c);
	char *text = sink->of_result(sink->broken ? c->broken : c->failed, &length);
	return taken(text, length);
}

/* Texts that mean nothing to anybody, of all lengths at which something is cut. */
static GPtrArray *harmless_new(void)
{
	static const struct {
		gsize from, to;
	} lengths[] = {{1, 140}, {196, 216}, {250, 250}, {396, 416}, {500, 500}, {996, 1016}, {1200, 1200}};
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);
	for (gsize i = 0; i < G_N_ELEMENTS(lengths); i++)
		for (gsize length = lengths[i].from; length <= lengths[i].to; length++)
			g_ptr_array_add(texts, g_strnfill(length, 'n'));
	g_ptr_array_add(texts, g_strdup("two words"));
	g_ptr_array_add(texts, g_strdup("0123456789abcdef0123456789abcdef01234567"));
	g_ptr_array_add(texts, g_strdup("src/name.c"));
	g_ptr_array_add(texts, g_strdup("/usr/name.c"));
	g_ptr_array_add(texts, g_strdup("_name")); /* a file, and no benchmark of a configuration */
	g_ptr_array_add(texts, g_strdup("ns"));
	g_ptr_array_add(texts, g_strdup("bytes"));
	g_ptr_array_add(texts, g_strdup(""));
	return texts;
}

/* Each output with its length in front: "<length of the text> <length of the output>\n<text><output>\n". */
static int write_outputs(const char *name, const char *which)
{
	g_autoptr(GPtrArray) texts = g_str_equal(which, "hostile") ? corpus_new() : harmless_new();
	for (guint i = 0; i < texts->len; i++) {
		const char *text = g_ptr_array_index(texts, i);
		Case c = case_new(text);
		g_autoptr(GString) out = render(name, &c);
		printf("%zu %zu\n%s", strlen(text), out->len, text);
		fwrite(out->str, 1, out->len, stdout);
		putchar('\n');
		case_clear(&c);
	}
	return fflush(stdout) == 0 ? 0 : 1;
}

static int write_names(void)
{
	g_autoptr(GPtrArray) names = sink_names();
	for (guint i = 0; i < names->len; i++)
		puts(g_ptr_array_index(names, i));
	return 0;
}

/* --- tests --- */

static void the_corpus_is_large_enough(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) corpus = corpus_new();
	assert_true(corpus->len >= CORPUS_MIN);
}

static void the_corpus_is_the_same_every_time(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) one = corpus_new(), two = corpus_new();
	assert_int_equal(one->len, two->len);
	for (guint i = 0; i < one->len; i++)
		assert_string_equal(g_ptr_array_index(one, i), g_ptr_array_index(two, i));
}

/* Calls `check` with every text of the corpus. */
static void for_corpus(void (*check)(const char *text))
{
	g_autoptr(GPtrArray) corpus = corpus_new();
	for (guint i = 0; i < corpus->len; i++)
		check(g_ptr_array_index(corpus, i));
}

static void check_json(const char *text)
{
	json_auto_t *value = json_text(text);
	g_autofree char *dumped = json_dumps(value, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	json_auto_t *loaded = json_loads(dumped, JSON_DECODE_ANY, NULL);
	g_autofree char *back = json_text_decode(loaded);
	assert_string_equal(back, text);
}

static void texts_come_back_out_of_json(void **state)
{
	(void)state;
	for_corpus(check_json);
}

static void check_report(const char *text)
{
	gsize length;
	g_autoptr(GError) error = NULL;
	g_autoptr(CheckResult) result = hostile_check(text, TRUE);
	g_autofree char *json = report_json(result, &length);
	g_autoptr(CheckResult) back = report_read(json, length, "report", &error);
	if (back == NULL)
		fail_msg("%s", error->message);
	const ResultBenchmark *benchmark = g_ptr_array_index(back->benchmarks, 0);
	const MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	const FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, 0);
	assert_string_equal(back->head.subject, text);
	assert_string_equal(benchmark->name, text);
	assert_string_equal(metric->name, text);
	assert_string_equal(function->note, text);
	assert_string_equal(highlights_name(highlights_table(benchmark), function->frame), text);
}

static void texts_come_back_out_of_report_json(void **state)
{
	(void)state;
	for_corpus(check_report);
}

/* The stacks of a profile as folded text, read again and written again. */
static void check_folded(const char *text)
{
	static const FoldedOptions options = {.columns = 1, .strict = TRUE, .plain_root = TRUE};
	g_autoptr(StackTable) table = stack_table_new(), other = stack_table_new();
	g_autoptr(Profile) profile = hostile_profile(table, text, TRUE), back = profile_new(other, "", "");
	g_autofree char *written = folded_write(profile, 0, FOLDED_SAMPLES);
	profile_add_run(back);
	assert_true(folded_read(written, strlen(written), "test", &options, back, 0, NULL, NULL));
	g_autofree char *again = folded_write(back, 0, FOLDED_SAMPLES);
	assert_string_equal(again, written);
	assert_int_equal(profile_run_total(back, 0).samples, profile_run_total(profile, 0).samples);
	assert_int_equal(stack_table_n_stacks(other), stack_table_n_stacks(table));
}

static void folded_text_is_the_same_after_reading_and_writing_it(void **state)
{
	(void)state;
	for_corpus(check_folded);
}

static void check_filename(const char *text)
{
	g_autofree char *name = escape_to_string(escape_filename, text);
	assert_true(strlen(name) >= 1 && strlen(name) <= 64 && *name != '.' && *name != '-');
	for (const char *p = name; *p != '\0'; p++)
		assert_true(g_ascii_isalnum(*p) || strchr("._-", *p) != NULL);
}

static void file_names_stay_in_their_folder(void **state)
{
	(void)state;
	for_corpus(check_filename);
}

static void different_texts_have_different_file_names(void **state)
{
	(void)state;
	g_autoptr(GPtrArray) corpus = corpus_new();
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < corpus->len; i++)
		assert_true(g_hash_table_add(names, escape_to_string(escape_filename, g_ptr_array_index(corpus, i))));
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_corpus_is_large_enough),
	        cmocka_unit_test(the_corpus_is_the_same_every_time),
	        cmocka_unit_test(texts_come_back_out_of_json),
	        cmocka_unit_test(texts_come_back_out_of_report_json),
	        cmocka_unit_test(folded_text_is_the_same_after_reading_and_writing_it),
	        cmocka_unit_test(file_names_stay_in_their_folder),
	        cmocka_unit_test(different_texts_have_different_file_names),
	};
	if (argc == 3)
		return write_outputs(argv[1], argv[2]);
	if (argc == 2)
		return write_names();
	return cmocka_run_group_tests_name("injection", tests, NULL, NULL);
}
