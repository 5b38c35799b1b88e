/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/report/htmlcontents.h"

#include "tests/report/htmlexample.h"

static void lines_stand_side_by_side_with_their_costs(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = annotated_result();
	g_autofree char *html = render(result);
	const char *part = strstr(html, "<details class=\"annotation\" open=\"\"><summary><code>hash_word</code>");
	assert_non_null(part);
	assert_true(part < strstr(html, "filterable functions"));
	g_autofree char *text = g_strndup(part, (gsize)(strstr(part, "</details>\n</details>") - part));
	assert_contains(text, "src/catalog.c, was src/words.c");
	assert_contains(text, "<td class=\"n\">27</td><td class=\"n\">27</td>");
	assert_contains(text, "… 7 lines left out");
	assert_contains(text,
	        "<del><code>        hash = hash * 31 + *word;</code></del><ins><code>        hash = hash_mix(hash");
	assert_contains(
	        text, "aria-label=\"added\">+</span></td><td class=\"code\"><code>    hash ^= crc(&quot;&lt;&amp;&gt;");
	assert_contains(text, "57.5 ms</td><td class=\"n\">102 ms</td>");
	assert_contains(text, "In lines of other files, or that are not known: 0 → 1.50 ms.");
	assert_contains(text, "<div class=\"scroll\" tabindex=\"0\"");
	assert_contains(text, "<del><code>imul   $0x1f,%eax,%eax</code></del>");
	assert_contains(text, "… 12 instructions left out");
	assert_int_equal(count_of(text, "<tr class=\"edited\">"), 3 + 2);
	assert_contains(html, "<p class=\"note\">libc.so.6 has no &lt;symbols&gt;</p>");
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
}

static void lines_of_counts_have_no_samples(void **state)
{
	(void)state;
	CountedSample counts = {.runs = 2, .added = 885600};
	g_autoptr(CheckResult) result = counted_result(&counts);
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	benchmark->annotations = annotated_functions(benchmark->head->profile->table);
	g_autofree char *html = render(result);
	assert_contains(html, "<td class=\"n\">57,500,000</td><td class=\"n\">101,500,000</td>");
	assert_contains(html, "<td class=\"n\">+44,000,000</td>");
	assert_null(strstr(html, "few samples"));
	assert_null(strstr(html, "A sample may belong"));
}

static void of_samples_it_is_said_that_they_slip_and_what_the_edited_lines_took(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = annotated_result();
	g_autofree char *html = render(result);
	assert_contains(html, "A sample may belong to the instruction before the one it stands at, and so to the line "
	                      "before.</p>");
	assert_contains(html, "Change of the edited lines: +67.0 ms (+86.0 ms with the functions they call); of the "
	                      "other lines of this function: +1.60 ms.");
}

/* The bars of the table of benchmarks, as the texts of their elements. */
static GPtrArray *bars_of(const char *html)
{
	g_autoptr(GPtrArray) tables = contents_of(html, "<table class=\"sortable overview\"", "</table>");
	return contents_of(g_ptr_array_index(tables, 0), "<svg class=\"bar\"", "</svg>");
}

static double dot_of(const char *bar)
{
	const char *at = strstr(bar, " cx=\"");
	assert_non_null(at);
	return g_ascii_strtod(at + strlen(" cx=\""), NULL);
}

static void every_bar_has_its_dot_where_it_belongs_however_large_the_change(void **state)
{
	(void)state;
	static const double ratios[] = {3.23, 2.62, 1.46, 1.194, 1.001};
	g_autoptr(CheckResult) result = changed_by(ratios, G_N_ELEMENTS(ratios));
	g_autofree char *html = render(result);
	g_autoptr(GPtrArray) bars = bars_of(html);
	assert_int_equal(bars->len, G_N_ELEMENTS(ratios));
	for (guint i = 0; i < bars->len; i++) {
		const char *bar = g_ptr_array_index(bars, i);
		assert_null(strstr(bar, "▸"));
		assert_null(strstr(bar, "◂"));
		assert_non_null(strstr(bar, "class=\"zone\""));
		assert_true(dot_of(bar) > 50 && dot_of(bar) < 97);
		assert_true(i == 0 || dot_of(bar) < dot_of(g_ptr_array_index(bars, i - 1)) - 2);
	}
	assert_contains(html, "the scale is ever more compressed");
}

static void an_interval_that_is_open_has_an_arrow_there_and_its_dot(void **state)
{
	(void)state;
	static const double ratios[] = {1.2, 1};
	g_autoptr(CheckResult) result = changed_by(ratios, G_N_ELEMENTS(ratios));
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	metric->upper_ratio = INFINITY;
	g_autofree char *html = render(result);
	g_autoptr(GPtrArray) bars = bars_of(html);
	const char *bar = g_ptr_array_index(bars, 0);
	assert_true(strstr(bar, "▸") != NULL && strstr(bar, "◂") == NULL && strstr(bar, "<circle") != NULL);
}

/* Ten of 5000 functions and what changed are seen, the others one step away. */
static void a_table_of_functions_shows_what_changed_and_the_largest(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = large_result();
	g_autofree char *html = render(result);
	g_autoptr(GPtrArray) tables = contents_of(html, "<table class=\"sortable filterable functions\"", "</table>");
	assert_int_equal(tables->len, 2);
	assert_in_range(count_of(g_ptr_array_index(tables, 0), "<tr id="), 10, 40);
	guint more = count_of(g_ptr_array_index(tables, 1), "<tr id=");
	g_autofree char *summary = g_strdup_printf(
	        "<details class=\"rest\"><summary>show %u more, smaller, unchanged or hardly sampled</summary>", more);
	assert_contains(html, summary);
	assert_null(strstr(g_ptr_array_index(tables, 1), "fails the check"));
}

/* 12 functions of as many rows as there may be. */
static void many_rows(GPtrArray *annotations, FrameId frame)
{
	for (guint n = 0; n < 12; n++) {
		FunctionAnnotation *annotation = function_annotation_new(frame);
		for (guint i = 0; i < ANNOTATION_MAX_ROWS; i++) {
			annotated_line(annotation,
			        &(AnnotatedLine){.base_line = 1 + i,
			                .head_line = 1 + i,
			                .text = (char *)"if (a < b && c > d) return \"what a line may hold\";",
			                .base_self = 1e6 * (i % 97),
			                .head_self = i == 300 ? 9e9 : 1e6 * (i % 89)});
			annotated_instruction(annotation, &(AnnotatedInstruction){.base_offset = 4 * i,
			                                          .head_offset = 4 * i,
			                                          .in_base = TRUE,
			                                          .in_head = TRUE,
			                                          .text = (char *)"mov    %rax,0x10(%rsp)",
			                                          .base_self = 1e6 * (i % 97),
			                                          .head_self = 1e6 * (i % 89)});
		}
		g_ptr_array_add(annotations, annotation);
	}
}

/* The part of the page on the change; owned by the caller. */
static char *changed_part(const char *html)
{
	const char *part = strstr(html, "<section id=\"changed-code\">");
	assert_non_null(part);
	return g_strndup(part, (gsize)(strstr(part, "</section>") - part));
}

static void changed_code_leads_to_the_functions_that_stand_in_it(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = annotated_result();
	g_autofree char *html = render(result), *part = changed_part(html);
	assert_contains(html, "<a href=\"#changed-code\">changed code</a></nav>\n<nav");
	assert_contains(part, "<details class=\"annotation\" open=\"\"><summary><code>src/catalog.c</code>");
	assert_contains(part, "was src/words.c");
	assert_contains(part, "<h3>Lines 27–33 of base, lines 27–34 of head</h3>");
	assert_contains(part, "<li><a href=\"#function-catalog-hash_word\"><code>hash_word</code></a> +17.7 pp, "
	                      "regression</li>");
	assert_contains(part, "<li>1 more measured function</li>");
	assert_contains(html, "<tr id=\"function-catalog-hash_word\"");
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
}

static void edited_lines_are_marked_and_have_their_costs(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = annotated_result();
	g_autofree char *html = render(result), *part = changed_part(html);
	assert_contains(part, "<tr class=\"edited\"><td class=\"n\">28</td><td></td><td class=\"n\">57.5 ms</td>"
	                      "<td class=\"n\"></td><td class=\"sign\"><span role=\"img\" aria-label=\"removed\">−"
	                      "</span></td><td class=\"code\"><del><code>        hash = hash * 31");
	assert_contains(part, "aria-label=\"added\">+</span></td><td class=\"code\"><code>    hash ^= "
	                      "crc(&quot;&lt;&amp;&gt;");
	assert_contains(part, "<td colspan=\"6\">… 4 lines left out</td>");
	assert_int_equal(count_of(part, "<tr class=\"edited\">"), 3);
	assert_contains(part, "<div class=\"scroll\" tabindex=\"0\"");
}

static void what_is_missing_of_the_change_is_said(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = annotated_result();
	g_autofree char *html = render(result), *part = changed_part(html);
	assert_contains(part, "<code>src/&lt;gone&gt;.c</code> <span class=\"more\">only in base ");
	assert_contains(part, "<p class=\"note\">base: &lt;unreadable&gt;</p>");
	assert_contains(part, "The change edits 2 more places in this file.");
	assert_contains(part, "1 more edited place with measured functions is not shown.");
	assert_contains(part, "3 further files changed without measured code.");
}

static void a_change_without_measured_code_is_one_sentence(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	result->changed = changed_code_new();
	g_autofree char *none = render(result);
	assert_null(strstr(none, "changed-code"));
	result->changed->n_files = 3;
	g_autofree char *html = render(result), *part = changed_part(html);
	assert_contains(part, "The change edits 3 files; no measured function is known to stand in a line");
	assert_int_equal(count_of(part, "<p"), 1);
}

static void many_changed_lines(ChangedCode *code, const ResultBenchmark *benchmark)
{
	for (guint i = 0; i < CHANGED_MAX_HUNKS; i++) {
		g_autofree char *path = g_strdup_printf("src/%u.c", i);
		ChangedSource *file = changed_code_add_file(code, path, path);
		ChangedHunk *hunk = changed_source_add_hunk(file, &(LineChange){1, 0, 1, CHANGED_MAX_ROWS});
		changed_function(hunk, benchmark, "hash_word");
		for (guint row = 1; row <= CHANGED_MAX_ROWS; row++) {
			ChangedLine line = {.kind = CHANGED_ADDED, .head_line = row, .text = g_strnfill(200, '&')};
			g_array_append_val(hunk->lines, line);
		}
	}
	code->n_files = code->n_measured_files = code->n_measured_hunks = CHANGED_MAX_HUNKS;
}

static void a_large_change_takes_its_share_of_the_page_and_no_more(void **state)
{
	(void)state;
	g_autoptr(CheckResult) sample = sample_result(), result = large_result();
	result->changed = changed_code_new();
	many_changed_lines(result->changed, g_ptr_array_index(sample->benchmarks, 0));
	gsize length;
	g_autofree char *html = report_html(&(HtmlReport){.result = result}, &length), *part = changed_part(html);
	assert_in_range(length, 1000000, HTML_REPORT_BYTES);
	assert_in_range(strlen(part), 200000, 300000 + 2000);
	assert_contains(part, "<code>src/0.c</code>");
	assert_contains(part, "more edited places with measured functions are not shown.");
	assert_contains(html, "class=\"picture\"");
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
}

static void rows_of_little_cost_are_left_out_where_there_is_no_room(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = large_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, 0);
	benchmark->annotations = g_ptr_array_new_with_free_func((GDestroyNotify)function_annotation_free);
	many_rows(benchmark->annotations, function->frame);
	gsize length;
	g_autofree char *html = report_html(&(HtmlReport){.result = result}, &length);
	assert_in_range(length, 1000000, HTML_REPORT_BYTES);
	assert_int_equal(count_of(html, "<td class=\"n\">301</td><td class=\"n\">301</td>"), 12);
	assert_contains(html, "lines left out");
	assert_contains(html, "class=\"picture\"");
}

static void earlier_commits_are_plotted_with_base_and_head_marked(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = annotated_result();
	g_autofree char *html = render(result);
	const char *figure = strstr(html, "<figure class=\"rounds history\">");
	assert_non_null(figure);
	g_autofree char *text = g_strndup(figure, (gsize)(strstr(figure, "</figure>") - figure));
	assert_contains(text, "1 time the environment changed");
	g_autofree char *picture = g_strndup(text, (gsize)(strstr(text, "</svg>") - text));
	assert_int_equal(count_of(picture, "<circle"), ANNOTATED_COMMITS - 1);
	assert_int_equal(count_of(picture, "class=\"margin\""), 1);
	assert_contains(text, "base of this check</li>");
	assert_contains(text, "head of this check</li>");
	assert_contains(text, ">base</text>");
	assert_contains(text, ">head</text>");
	assert_contains(text, "<td>catalog: &lt;faster&gt; &amp; better</td>");
	assert_int_equal(count_of(text, "<td>another environment</td>"), 1);
	assert_int_equal(count_of(text, "<tr><th scope=\"row\">"), ANNOTATED_COMMITS);
}

static void a_history_of_one_commit_is_no_plot(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = annotated_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	MetricHistory *history = g_ptr_array_index(benchmark->history, 0);
	g_array_set_size(history->points, 1);
	g_autofree char *html = render(result);
	assert_null(strstr(html, "History"));
}

static void what_is_flagged_has_a_row_however_small_it_is(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = large_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	FunctionComparison *last = g_ptr_array_index(benchmark->comparison->functions, LARGE_FUNCTIONS - 1);
	last->klass = FUNCTION_LAYOUT_SUSPECT;
	g_autofree char *html = render(result);
	assert_contains(html, "process_batch_4999");
	assert_contains(html, "layout suspect");
	assert_contains(html, "4,849 more functions");
}

static void a_table_of_functions_says_what_its_intervals_are_and_classes_are_not(void **state)
{
	(void)state;
	g_autofree char *html = render_sample();
	assert_contains(html, ">95 % interval, alone</th>");
	assert_contains(html,
	        "An interval is that of one function alone; classes come from one test of all functions at "
	        "once, so one without 0 may be called unchanged.</span></caption>");
}

static void a_metric_of_too_few_rounds_has_no_least_detectable_change(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	((MetricComparison *)g_ptr_array_index(benchmark->comparison->metrics, 0))->mde_ratio = NAN;
	g_autofree char *html = render(result);
	assert_contains(html, ">least detectable</th>");
	assert_contains(html, ">none</td>");
	assert_null(strstr(html, ">nothing</td>"));
}

/* In the order of measuring, in the distribution, and in the legend. */
#define DOTS(rounds) (2 * (rounds) + 1)

static void every_round_has_a_dot_for_base_and_one_for_head(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_ptr_array_set_size(benchmark->comparison->metrics, 1);
	g_autofree char *html = render(result);
	assert_int_equal(count_of(html, "<circle class=\"dot-base\""), DOTS(SAMPLE_RUNS));
	assert_int_equal(count_of(html, "<circle class=\"dot-head\""), DOTS(SAMPLE_RUNS));
	assert_contains(html, "<title>round 1: base 379 ms, head 429 ms, +13.4 %</title>");
}

static void a_round_without_a_value_has_no_dot(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_ptr_array_set_size(benchmark->comparison->metrics, 1);
	MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	g_array_index(metric->head_values, double, 2) = NAN;
	g_autofree char *html = render(result);
	assert_int_equal(count_of(html, "<circle class=\"dot-base\""), DOTS(SAMPLE_RUNS - 1));
	assert_null(strstr(html, "nan"));
}

static void functions_say_share_class_relation_and_place(void **state)
{
	(void)state;
	g_autofree char *html = render_sample();
	const char *row = strstr(html, "<tr id=\"function-catalog-hash_word\" class=\"gates\">");
	assert_non_null(row);
	g_autofree char *text = g_strndup(row, (gsize)(strstr(row, "</tr>") - row));
	assert_contains(text, "[+17.1, +18.3]");
	assert_contains(text, "60.2 ms → 127 ms<div class=\"more\">base 15.9 %</div>");
	assert_contains(text, "✕ regression");
	assert_contains(text, "<td class=\"relation\">touched</td>");
	assert_contains(text, "catalog · <span title=\"src/catalog.c\">catalog.c:19</span>");
}

static void what_was_not_tested_has_no_interval_and_no_class(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	FunctionComparison *function = sample_row(g_ptr_array_index(result->benchmarks, 0), "msort");
	function->tested = FALSE;
	function->contribution_lower = function->contribution_upper = NAN;
	g_autofree char *html = render(result);
	const char *row = strstr(html, "<tr id=\"function-catalog-msort\"");
	g_autofree char *text = g_strndup(row, (gsize)(strstr(row, "</tr>") - row));
	assert_contains(text, ">not tested</span>");
	assert_contains(text, "<circle");
	assert_null(strstr(text, "<rect"));
}

static void the_metric_that_failed_comes_first(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	gpointer *metrics = benchmark->comparison->metrics->pdata, failed = metrics[0];
	metrics[0] = metrics[1];
	metrics[1] = failed;
	g_autofree char *html = render(result);
	const char *table = strstr(html, "sortable metrics");
	assert_true(strstr(table, "<code>task-clock</code>") < strstr(table, "<code>peak-rss</code>"));
}

static void callers_and_callees_add_up_to_the_function(void **state)
{
	(void)state;
	g_autofree char *html = render_sample();
	const char *box = strstr(html, "<div class=\"sandwich\"");
	g_autofree char *text = g_strndup(box, (gsize)(strstr(box, "</div>") - box));
	assert_contains(text, "<code>count_word</code></th><td class=\"n\">15.9 %</td><td class=\"n\">+22.7 pp</td>");
	assert_contains(text, "<code>hash_word</code></th><td class=\"n\">15.9 %</td><td class=\"n\">+22.7 pp</td>");
	assert_contains(text, "of that itself</th><td class=\"n\">15.9 %</td><td class=\"n\">+17.7 pp</td>");
	assert_contains(text, "<code>hash_mix</code></th><td class=\"n\">0 %</td><td class=\"n\">+5.0 pp</td>");
	g_autoptr(GPtrArray) data = contents_of(html, "<script type=\"application/json\"", "</script>");
	assert_int_equal(data->len, 1);
}

static void counts_speak_of_runs_and_not_of_samples(void **state)
{
	(void)state;
	CountedSample counts = {.runs = 5, .added = 885600, .jitter = 300};
	g_autoptr(CheckResult) result = counted_result(&counts);
	g_autofree char *html = render(result);
	assert_null(strstr(html, ">samples</th>"));
	assert_contains(html, "over the runs</th>");
	assert_contains(html, "up to 0.0016 % apart");
	assert_contains(html, "in 1 function the counts differ between runs of one side");
	assert_contains(html, "<code>read_clock</code>: 400,000 to 401,200 instructions in base");
	assert_null(strstr(html, "<h3>Rounds</h3>"));
}

static void functions_that_all_count_the_same_need_no_table(void **state)
{
	(void)state;
	CountedSample counts = {.runs = 2, .added = 0};
	g_autoptr(CheckResult) result = counted_result(&counts);
	g_autofree char *html = render(result);
	assert_contains(html, "all functions (4) have the same counts on both sides");
	assert_null(strstr(html, "filterable functions"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(lines_stand_side_by_side_with_their_costs),
	        cmocka_unit_test(lines_of_counts_have_no_samples),
	        cmocka_unit_test(of_samples_it_is_said_that_they_slip_and_what_the_edited_lines_took),
	        cmocka_unit_test(every_bar_has_its_dot_where_it_belongs_however_large_the_change),
	        cmocka_unit_test(an_interval_that_is_open_has_an_arrow_there_and_its_dot),
	        cmocka_unit_test(a_table_of_functions_shows_what_changed_and_the_largest),
	        cmocka_unit_test(changed_code_leads_to_the_functions_that_stand_in_it),
	        cmocka_unit_test(edited_lines_are_marked_and_have_their_costs),
	        cmocka_unit_test(what_is_missing_of_the_change_is_said),
	        cmocka_unit_test(a_change_without_measured_code_is_one_sentence),
	        cmocka_unit_test(a_large_change_takes_its_share_of_the_page_and_no_more),
	        cmocka_unit_test(rows_of_little_cost_are_left_out_where_there_is_no_room),
	        cmocka_unit_test(earlier_commits_are_plotted_with_base_and_head_marked),
	        cmocka_unit_test(a_history_of_one_commit_is_no_plot),
	        cmocka_unit_test(what_is_flagged_has_a_row_however_small_it_is),
	        cmocka_unit_test(a_table_of_functions_says_what_its_intervals_are_and_classes_are_not),
	        cmocka_unit_test(a_metric_of_too_few_rounds_has_no_least_detectable_change),
	        cmocka_unit_test(every_round_has_a_dot_for_base_and_one_for_head),
	        cmocka_unit_test(a_round_without_a_value_has_no_dot),
	        cmocka_unit_test(functions_say_share_class_relation_and_place),
	        cmocka_unit_test(what_was_not_tested_has_no_interval_and_no_class),
	        cmocka_unit_test(the_metric_that_failed_comes_first),
	        cmocka_unit_test(callers_and_callees_add_up_to_the_function),
	        cmocka_unit_test(counts_speak_of_runs_and_not_of_samples),
	        cmocka_unit_test(functions_that_all_count_the_same_need_no_table),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
