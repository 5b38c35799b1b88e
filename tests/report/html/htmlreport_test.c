/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/report/htmlcontents.h"

#include "compare/endings.h"
#include "compare/outcome.h"
#include "report/json/reportjson.h"
#include "tests/report/htmlexample.h"

/* The result as it comes back from its report.json. */
static CheckResult *read_back(const CheckResult *result)
{
	gsize length;
	g_autofree char *json = report_json(result, &length);
	CheckResult *again = report_read(json, length, "report.json", NULL);
	assert_non_null(again);
	return again;
}

static void the_first_lines_say_verdict_sentence_and_commits(void **state)
{
	(void)state;
	g_autofree char *html = render_sample();
	const char *verdict = strstr(html, "✕ Regression"), *table = strstr(html, "<table");
	const char *sentence = strstr(strstr(html, "<h1>"), "catalog is 13 % slower (12 to 15 %), caused by hash_word");
	const char *side = strstr(html, "<code title=\"5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f80\">5d6e7f8</code>");
	assert_true(verdict != NULL && sentence != NULL && side != NULL);
	assert_true(verdict < sentence && sentence < side && side < table);
	assert_contains(html, "catalog: mix | better");
}

static void every_element_is_closed(void **state)
{
	(void)state;
	g_autofree char *html = render_sample();
	WellFormed xml = parse(html);
	assert_int_equal(wellformed_count(&xml, "main"), 1);
	assert_int_equal(wellformed_count(&xml, "h1"), 1);
	assert_true(wellformed_count(&xml, "caption") >= 3);
	wellformed_clear(&xml);
}

static void the_same_result_gives_the_same_bytes(void **state)
{
	(void)state;
	g_autofree char *once = render_sample(), *again = render_sample();
	assert_string_equal(once, again);
}

static char *hash_of(const char *text)
{
	guint8 digest[32];
	gsize size = sizeof digest;
	g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
	g_checksum_update(checksum, (const guchar *)text, -1);
	g_checksum_get_digest(checksum, digest, &size);
	g_autofree char *base64 = g_base64_encode(digest, size);
	return g_strdup_printf("'sha256-%s'", base64);
}

static void the_policy_names_the_hash_of_every_style_and_script(void **state)
{
	(void)state;
	static const char *const kinds[][2] = {
	        {"<style>", "</style>"}, {"<script>", "</script>"}, {"<script type=\"text/plain\"", "</script>"}};
	g_autofree char *html = render_sample();
	const char *policy = strstr(html, "default-src 'none'");
	g_autofree char *meta = g_strndup(policy, strcspn(policy, "\""));
	for (gsize kind = 0; kind < G_N_ELEMENTS(kinds); kind++) {
		g_autoptr(GPtrArray) texts = contents_of(html, kinds[kind][0], kinds[kind][1]);
		assert_true(texts->len > 0);
		for (guint i = 0; i < texts->len; i++) {
			g_autofree char *hash = hash_of(g_ptr_array_index(texts, i));
			assert_contains(meta, hash);
		}
	}
	assert_null(strstr(meta, "unsafe"));
}

/* The only addresses are names of XML, and links lead into the page or beside it. */
static void nothing_is_loaded_from_anywhere(void **state)
{
	(void)state;
	g_autofree char *html = render_sample();
	g_autofree char *xml = as_xml(html);
	assert_int_equal(count_of(xml, "://"), count_of(xml, "xmlns=\"http://www.w3.org/2000/svg\""));
	assert_null(strstr(xml, " src="));
	assert_null(strstr(xml, "<link"));
	assert_null(strstr(xml, " style="));
	for (const char *at = strstr(xml, "href=\""); at != NULL; at = strstr(at + 1, "href=\""))
		assert_true(at[6] == '#' || g_str_has_prefix(at + 6, "catalog."));
}

static void ids_are_unique(void **state)
{
	(void)state;
	CountedSample counts = {.runs = 2, .added = 885600};
	g_autoptr(CheckResult) result = counted_both(&counts, TRUE, PAIR_MORE_WORK, "more work");
	g_autofree char *html = render(result), *xml = as_xml(html);
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (const char *at = strstr(xml, " id=\""); at != NULL; at = strstr(at + 1, " id=\"")) {
		char *id = g_strndup(at + 5, strcspn(at + 5, "\""));
		g_autofree char *copy = g_strdup(id);
		if (!g_hash_table_add(seen, id))
			fail_msg("twice: %s", copy);
	}
	assert_true(g_hash_table_contains(seen, "benchmark-catalog"));
	assert_true(g_hash_table_contains(seen, "function-catalog-hash_word"));
	assert_true(g_hash_table_contains(seen, "counted-catalog-hash_word"));
}

static const char *const hostile_texts[] = {
        "</script><script>x</script><!--",
        "</title></svg><img src=x onerror=x>",
        "\" onclick=\"x\" '><b>",
        "]]></code><iframe srcdoc=x>",
        "&lt;/p&gt;&#x3c;script&#x3e;",
        "javascript:x",
        "\033[2J\x07\xff\xfe\x80 id=\"x\"",
        "\342\200\256evil\342\200\213name",
        "../../etc/passwd\n\r\t$(x)`x`;'x",
        "",
};

/* The elements that any result has; foreign text must add none. */
static void hostile_texts_stay_text(void **state)
{
	(void)state;
	g_autoptr(CheckResult) harmless = hostile_result("harmless");
	g_autofree char *wanted_html = render(harmless);
	WellFormed wanted = parse(wanted_html);
	for (gsize i = 0; i < G_N_ELEMENTS(hostile_texts); i++) {
		g_autoptr(CheckResult) result = hostile_result(hostile_texts[i]);
		g_autofree char *html = render(result);
		WellFormed got = parse(html);
		assert_int_equal(wellformed_count(&got, "script"), wellformed_count(&wanted, "script"));
		assert_int_equal(wellformed_count(&got, "a") <= wellformed_count(&wanted, "a"), 1);
		assert_int_equal(wellformed_count(&got, "img") + wellformed_count(&got, "iframe"), 0);
		assert_true(g_utf8_validate(html, -1, NULL));
		assert_null(strstr(html, "\342\200\256"));
		assert_null(strstr(html, "href=\"javascript"));
		wellformed_clear(&got);
	}
	wellformed_clear(&wanted);
}

static void data_for_the_script_cannot_end_it(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = hostile_result("</script><!--<script>&\xff");
	g_autofree char *html = render(result);
	g_autoptr(GPtrArray) data = contents_of(html, "<script type=\"application/json\"", "</script>");
	assert_true(data->len >= 1);
	for (guint i = 0; i < data->len; i++) {
		const char *json = g_ptr_array_index(data, i);
		assert_null(strpbrk(json, "<>&\n"));
		assert_true(g_str_is_ascii(json));
		assert_int_equal(json[strlen(json) - 1], '}');
	}
}

static void a_program_of_5000_functions_stays_below_2_megabytes(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = large_result();
	gsize length;
	g_autofree char *html = report_html(&(HtmlReport){.result = result}, &length);
	assert_in_range(length, 200000, HTML_REPORT_BYTES);
	assert_contains(html, "<div class=\"picture\"");
	assert_contains(html, "4,850 more functions, each with a contribution of at most 0.05 pp, are in report.json.");
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
}

/* So many benchmarks of 5,000 functions, every second one of which passed. All but the first are made of what the first
 * has, which is large; many_free() takes that from them again. */
static CheckResult *many_large(guint n)
{
	CheckResult *result = large_result();
	const ResultBenchmark *first = g_ptr_array_index(result->benchmarks, 0);
	for (guint i = 1; i < n; i++) {
		g_autofree char *name = g_strdup_printf("more-%u", i);
		ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
		benchmark->base = first->base;
		benchmark->head = first->head;
		benchmark->comparison = g_memdup2(first->comparison, sizeof *first->comparison);
		if (i % 2 == 1)
			benchmark->comparison->verdict = VERDICT_PASS;
	}
	return result;
}

static void many_free(CheckResult *result)
{
	for (guint i = 1; i < result->benchmarks->len; i++) {
		ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		benchmark->base = benchmark->head = NULL;
		g_clear_pointer(&benchmark->comparison, g_free);
	}
	check_result_free(result);
}

/* Pages of dozens of large benchmarks take minutes with every access checked; smaller ones go the same ways. */
static void skip_if_sanitized(void)
{
#ifdef __SANITIZE_ADDRESS__
	print_message("skipped: too slow under sanitizers\n");
	skip();
#endif
}

static void many_benchmarks_share_the_room(void **state)
{
	(void)state;
	skip_if_sanitized();
	CheckResult *result = many_large(26);
	gsize length;
	g_autofree char *html = report_html(&(HtmlReport){.result = result}, &length);
	assert_in_range(length, 1000000, HTML_REPORT_BYTES);
	assert_contains(html, "id=\"function-more-25-");
	assert_true(count_of(html, "<div class=\"picture\"") >= 10);
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
	many_free(result);
}

static void of_very_many_benchmarks_some_that_passed_are_counted(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = very_many(3000);
	gsize length;
	g_autofree char *html = report_html(&(HtmlReport){.result = result}, &length);
	assert_true(length < HTML_REPORT_BYTES);
	assert_contains(html, "2800 more benchmarks are in report.json.");
	assert_contains(html, "<tr id=\"function-catalog-hash_word\"");
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
}

static void what_did_not_pass_gets_more_room(void **state)
{
	(void)state;
	skip_if_sanitized();
	CheckResult *result = many_large(4);
	g_autofree char *html = render(result);
	many_free(result);
	guint passed = count_of(html, "<tr id=\"function-more-1-"),
	      failed = count_of(html, "<tr id=\"function-more-2-");
	assert_true(passed >= 4 && failed > 2 * passed);
}

/* Functions whose names are as long as those of templates can be. */
static void long_names_do_not_burst_the_page(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = large_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_autofree char *long_name = g_strnfill(1900, '<');
	StackTable *table = benchmark->head->profile->table;
	for (guint i = 0; i < 400; i++) {
		FunctionComparison *function = g_ptr_array_index(benchmark->comparison->functions, i);
		g_autofree char *name = g_strdup_printf("%s%u", long_name, i);
		function->frame = function->renamed_from = stack_table_frame_named(table, name, "m", FRAME_USER);
		function->klass = FUNCTION_REGRESSION;
	}
	g_ptr_array_add(benchmark->artifacts, g_strdup("diff_svg"));
	g_ptr_array_add(benchmark->artifacts, g_strdup("catalog.diff.svg"));
	gsize length;
	g_autofree char *html = report_html(&(HtmlReport){.result = result}, &length);
	assert_true(length < HTML_REPORT_BYTES + HTML_REPORT_BYTES / 2);
	assert_contains(html, "It is too large for this page.");
	assert_contains(html, "The picture as a file of the output folder: <a href=\"catalog.diff.svg\">");
}

static char *page_of(const CheckResult *result)
{
	const HtmlReport report = {.result = result};
	return report_html(&report, NULL);
}

static void a_first_run_is_no_green_pass(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	ending_nothing_to_compare(result, check_result_add_benchmark(result, "parse"),
	        "base cannot run it (./parse could not be started: No such file)", FALSE);
	check_result_decide(result);
	g_autofree char *html = page_of(result);
	assert_contains(html, "<header class=\"new\">");
	assert_contains(html, "<span class=\"chip open\">First run</span>");
	assert_contains(html, "<h1>1 new benchmark: nothing to compare yet</h1>");
	assert_null(strstr(html, "✓ Pass"));
}

static void an_open_result_says_whether_one_may_merge(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = result->benchmarks->pdata[0];
	benchmark_comparison_decide(
	        benchmark->comparison, VERDICT_INCONCLUSIVE, "interval_too_wide", g_strdup("too noisy"));
	g_ptr_array_set_size(result->reasons, 0);
	check_result_decide(result);
	g_autofree char *html = page_of(result);
	assert_contains(html, "<dt>may it be merged</dt><dd>");
	assert_contains(html, "Exit code 3 fails the job");
	assert_contains(html, "<code>--on-inconclusive=pass</code>");
}

static void moved_cost_is_no_slower_function(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_moved_result();
	g_autofree char *html = page_of(result);
	assert_contains(html, "<span class=\"chip warning\">cost moved</span> <code>catalog</code>: cost moved from "
	                      "render_rows to hash_word: +17.7 pp");
	assert_contains(html, "total unchanged");
	assert_contains(html, "✓ Cost moved</span>");
	assert_null(strstr(html, "slower in a function</span>"));
}

static void the_worst_benchmark_comes_first(void **state)
{
	(void)state;
	static const double ratios[] = {1.001, 1.05, 1.3, 1.002};
	static const char *const order[] = {"by-2", "by-1", "by-3", "by-0"};
	g_autoptr(CheckResult) result = changed_by(ratios, G_N_ELEMENTS(ratios));
	g_autofree char *html = render(result);
	const char *row = html, *section = html;
	for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
		g_autofree char *link = g_strdup_printf("<a href=\"#benchmark-%s\">", order[i]);
		g_autofree char *id = g_strdup_printf("id=\"benchmark-%s\"", order[i]);
		row = strstr(row, link);
		section = strstr(section, id);
		assert_true(row != NULL && section != NULL);
	}
}

static void what_is_accepted_is_said_in_the_overview_and_beside_the_name(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_accept(result);
	check_result_add_benchmark(result, "other");
	g_autofree char *html = render(result);
	g_autoptr(GPtrArray) rows = contents_of(html, "<th scope=\"row\"><a", "</tr>");
	g_autoptr(GPtrArray) names = contents_of(html, "<summary><h2", "</h2>");
	assert_contains(rows->pdata[1], "<span class=\"chip open\">✓ Accepted</span>");
	assert_contains(rows->pdata[1], "<code>hash_word</code>");
	assert_null(strstr(rows->pdata[1], "Pass"));
	assert_contains(names->pdata[1], "✓ Accepted");
}

static void many_that_passed_are_folded_after_one_that_did_not(void **state)
{
	(void)state;
	double ratios[20] = {[7] = 1.2};
	for (guint i = 0; i < G_N_ELEMENTS(ratios); i++)
		ratios[i] = ratios[i] > 0 ? ratios[i] : 1;
	g_autoptr(CheckResult) result = changed_by(ratios, G_N_ELEMENTS(ratios));
	g_autofree char *html = render(result);
	const char *fold = strstr(html, "<details class=\"rest\"><summary>19 benchmarks unchanged</summary>");
	const char *failed = strstr(html, "<a href=\"#benchmark-by-7\">");
	assert_true(fold != NULL && failed != NULL && failed < fold);
	assert_int_equal(count_of(html, "<summary>19 benchmarks unchanged</summary>"), 2);
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
	g_autoptr(CheckResult) passed = changed_by(ratios, 7);
	g_autofree char *all = render(passed);
	assert_null(strstr(all, "benchmarks unchanged</summary>"));
}

static void parts_stand_in_the_order_of_questions_and_are_linked_from_the_header(void **state)
{
	(void)state;
	static const char *const parts[] = {"source", "flame-graph", "functions", "callers", "metrics", "rounds"};
	g_autoptr(CheckResult) result = annotated_result();
	g_autofree char *html = render(result);
	const char *header_end = strstr(html, "</header>"), *part = html, *link = html;
	for (guint i = 0; i < G_N_ELEMENTS(parts); i++) {
		g_autofree char *id = g_strdup_printf("<div class=\"part\" id=\"part-%s-catalog\">", parts[i]);
		g_autofree char *href = g_strdup_printf("<a href=\"#part-%s-catalog\">", parts[i]);
		part = strstr(part, id);
		link = strstr(link, href);
		assert_true(part != NULL && link != NULL && link < header_end);
		assert_int_equal(count_of(html, href), 2);
	}
}

/* Counts have no schedule. */
static void a_fact_without_a_value_is_left_out(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	benchmark->campaign.rounds = 2;
	g_autofree char *with = render(result);
	assert_contains(with, "<dt>schedule</dt><dd>coscheduled</dd>");
	*benchmark->base->schedule = *benchmark->head->schedule = '\0';
	g_autofree char *without = render(result);
	assert_contains(without, "<dt>rounds</dt>");
	assert_null(strstr(without, "<dt>schedule</dt>"));
}

static void both_engines_stand_side_by_side(void **state)
{
	(void)state;
	CountedSample counts = {.runs = 2, .added = 885600};
	g_autoptr(CheckResult) result = counted_both(&counts, TRUE, PAIR_MORE_WORK, "more work is done & felt");
	g_autofree char *html = render(result);
	assert_contains(html, "more work is done &amp; felt");
	assert_contains(html, "<h3>Functions by time</h3>");
	assert_contains(html, "<h3>Functions by instructions</h3>");
	assert_int_equal(count_of(html, "<div class=\"picture\""), 2);
	assert_int_equal(count_of(html, "<div class=\"sandwich\""), 2);
}

/* Two pictures, but each script and style sheet of theirs once. */
static void scripts_of_pictures_are_there_once(void **state)
{
	(void)state;
	CountedSample counts = {.runs = 2, .added = 885600};
	g_autoptr(CheckResult) one = sample_result();
	g_autoptr(CheckResult) two = counted_both(&counts, TRUE, PAIR_MORE_WORK, "more work");
	g_autofree char *once = render(one), *twice = render(two);
	assert_int_equal(count_of(once, "<script type=\"text/plain\""), count_of(twice, "<script type=\"text/plain\""));
	assert_int_equal(count_of(once, "<style>"), count_of(twice, "<style>"));
}

static void a_result_from_its_report_has_all_but_profiles(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	sample_artifacts(g_ptr_array_index(result->benchmarks, 0));
	g_autoptr(CheckResult) again = read_back(result);
	g_autofree char *html = render(again);
	assert_contains(html, "<tr id=\"function-catalog-hash_word\" class=\"gates\">");
	assert_contains(html, "<circle class=\"dot-base\"");
	assert_contains(html, "scope=\"col\" class=\"n\">cost</th>");
	assert_contains(html, "<a href=\"catalog.diff.svg\">catalog.diff.svg</a>");
	assert_null(strstr(html, "class=\"picture\""));
	assert_null(strstr(html, "class=\"sandwich\""));
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
}

static void an_error_before_any_measurement_says_what_and_how_to_repeat_it(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = check_result_new();
	result_side_set(&result->base, "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", "main", "merge-base", "sort");
	result_side_set(&result->head, "worktree", "", "--head", "");
	result->seed = 18446744073709551615u;
	check_result_add_reason(result, 5, "build_failed", NULL, "the build of head failed");
	check_result_add_reason(result, 4, "other", NULL, "and something else");
	check_result_decide(result);
	g_autofree char *html = render(result);
	assert_contains(html, "<h1>the build of head failed</h1>");
	assert_contains(html, "<li>and something else</li>");
	assert_contains(html, "firebreak check --base 1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d --head worktree "
	                      "--seed 18446744073709551615</pre>");
	assert_null(strstr(html, "<table"));
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
}

static void the_command_that_repeats_it_is_quoted_for_a_shell(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	replace(&((ResultBenchmark *)g_ptr_array_index(result->benchmarks, 0))->name, "it's; rm");
	g_autofree char *html = render(result);
	assert_contains(html, "--benchmark &#39;it&#39;\\&#39;&#39;s; rm&#39;</pre>");
}

static void pictures_of_other_profiles_are_links(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	result_benchmark_add_profile(benchmark, &(ResultProfile){.event = (char *)"off-cpu", .engine = &engine_perf});
	sample_artifacts(benchmark);
	g_autofree char *html = render(result);
	assert_contains(html, "off-cpu, base → head: <a href=\"catalog.off-cpu.diff.svg\">");
	assert_int_equal(count_of(html, "<div class=\"picture\""), 1);
}

static void findings_come_by_severity(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	finding_add(result->findings, FINDING_ERROR, "late", NULL, "added last");
	g_autofree char *html = render(result);
	const char *error = strstr(html, "added last"), *warning = strstr(html, "no hardware counters on this");
	const char *info = strstr(html, "0.8 % of the samples");
	assert_true(error != NULL && error < warning && warning < info);
}

static void what_passed_is_folded_where_there_is_much(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	for (guint i = 0; i < 3; i++) {
		g_autoptr(CheckResult) more = sample_result();
		ResultBenchmark *benchmark = g_ptr_array_steal_index(more->benchmarks, 0);
		benchmark->comparison->verdict = VERDICT_PASS;
		g_ptr_array_add(result->benchmarks, benchmark);
	}
	g_autofree char *html = render(result);
	assert_int_equal(count_of(html, "<details class=\"benchmark\""), 1);
	assert_int_equal(count_of(html, "<details class=\"benchmark line\""), 3);
	assert_int_equal(count_of(html, "open=\"\">\n<summary>"), 1);
}

static void the_verdict_card_has_counts_and_what_to_do(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	check_result_add_benchmark(result, "other");
	g_autofree char *html = render(result);
	g_autofree char *header = g_strndup(html, (gsize)(strstr(html, "</header>") - html));
	assert_contains(header, "<span class=\"counts\">1 slower, 1 broken</span>");
	assert_contains(header, "<pre class=\"command\">firebreak check -b catalog -b other --base 1a2b3c4d");
	assert_contains(header, "<pre class=\"command\">Perf-Accepted: catalog: REASON</pre>");
}

static void an_improvement_is_a_card_that_says_faster(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	BenchmarkComparison *comparison = ((ResultBenchmark *)result->benchmarks->pdata[0])->comparison;
	comparison->verdict = VERDICT_PASS;
	((MetricComparison *)comparison->metrics->pdata[0])->verdict = VERDICT_PASS;
	((MetricComparison *)comparison->metrics->pdata[0])->improved = TRUE;
	g_clear_pointer(&comparison->slower, g_free);
	g_autofree char *html = render(result);
	g_autoptr(GPtrArray) names = contents_of(html, "<summary><h2", "</h2>");
	assert_contains(names->pdata[0], "<span class=\"chip better\">✓ Faster</span>");
	assert_contains(html, "<details class=\"benchmark\" ");
}

static void write_page(const char *dir, const char *name, CheckResult *result)
{
	g_autofree char *html = render(result), *path = g_strdup_printf("%s/%s.html", dir, name);
	assert_true(g_file_set_contents(path, html, -1, NULL));
	check_result_free(result);
}

/* Writes the pages that tests/browser/html_test.sh opens into the folder HTML_PAGES. */
static void pages_for_a_browser_can_be_written(void **state)
{
	(void)state;
	const char *dir = g_getenv("HTML_PAGES");
	if (dir == NULL) {
		print_message("skipped: HTML_PAGES names no folder\n");
		skip();
	}
	CountedSample counts = {.runs = 5, .added = 885600, .jitter = 300};
	write_page(dir, "regression", sample_result());
	write_page(dir, "annotated", annotated_result());
	write_page(dir, "both", counted_both(&counts, TRUE, PAIR_MORE_WORK, "more work is done"));
	write_page(dir, "large", large_result());
	CheckResult *several = sample_result();
	check_result_add_benchmark(several, "other");
	write_page(dir, "several", several);
	for (gsize i = 0; i < G_N_ELEMENTS(hostile_texts); i++) {
		g_autofree char *name = g_strdup_printf("hostile-%zu", i);
		write_page(dir, name, hostile_result(hostile_texts[i]));
	}
}

static void the_compilers_of_both_builds_stand_side_by_side(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	g_autofree char *without = render(result);
	assert_null(strstr(without, "<section id=\"builds\">"));
	UsedCompiler *compiler = g_new0(UsedCompiler, 1);
	*compiler = (UsedCompiler){.name = g_strdup("cc"), .program = g_strdup("/usr/bin/g<c>c"), .calls = 2};
	result->head.compilers = used_compilers_new();
	g_ptr_array_add(result->head.compilers, compiler);
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	benchmark->base_program = g_new0(ProgramFacts, 1);
	benchmark->base_program->file = g_strdup("bin/a&b");
	benchmark->base_program->producers = g_strdup("GNU C17 12.2.0 -O2");
	benchmark->base_program->units = 1;
	g_autofree char *html = render(result);
	assert_contains(
	        html, "<th scope=\"row\">compilers called</th><td>not known</td><td>cc (g&lt;c&gt;c, 2 calls)</td>");
	assert_contains(html, "<td>bin/a&amp;b: 1 unit by GNU C17 12.2.0</td><td>not known</td>");
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(the_first_lines_say_verdict_sentence_and_commits),
	        cmocka_unit_test(the_verdict_card_has_counts_and_what_to_do),
	        cmocka_unit_test(an_improvement_is_a_card_that_says_faster),
	        cmocka_unit_test(every_element_is_closed),
	        cmocka_unit_test(the_same_result_gives_the_same_bytes),
	        cmocka_unit_test(the_compilers_of_both_builds_stand_side_by_side),
	        cmocka_unit_test(the_policy_names_the_hash_of_every_style_and_script),
	        cmocka_unit_test(nothing_is_loaded_from_anywhere),
	        cmocka_unit_test(ids_are_unique),
	        cmocka_unit_test(hostile_texts_stay_text),
	        cmocka_unit_test(data_for_the_script_cannot_end_it),
	        cmocka_unit_test(a_program_of_5000_functions_stays_below_2_megabytes),
	        cmocka_unit_test(many_benchmarks_share_the_room),
	        cmocka_unit_test(of_very_many_benchmarks_some_that_passed_are_counted),
	        cmocka_unit_test(what_did_not_pass_gets_more_room),
	        cmocka_unit_test(long_names_do_not_burst_the_page),
	        cmocka_unit_test(a_first_run_is_no_green_pass),
	        cmocka_unit_test(an_open_result_says_whether_one_may_merge),
	        cmocka_unit_test(moved_cost_is_no_slower_function),
	        cmocka_unit_test(the_worst_benchmark_comes_first),
	        cmocka_unit_test(what_is_accepted_is_said_in_the_overview_and_beside_the_name),
	        cmocka_unit_test(many_that_passed_are_folded_after_one_that_did_not),
	        cmocka_unit_test(parts_stand_in_the_order_of_questions_and_are_linked_from_the_header),
	        cmocka_unit_test(a_fact_without_a_value_is_left_out),
	        cmocka_unit_test(both_engines_stand_side_by_side),
	        cmocka_unit_test(scripts_of_pictures_are_there_once),
	        cmocka_unit_test(a_result_from_its_report_has_all_but_profiles),
	        cmocka_unit_test(an_error_before_any_measurement_says_what_and_how_to_repeat_it),
	        cmocka_unit_test(the_command_that_repeats_it_is_quoted_for_a_shell),
	        cmocka_unit_test(pictures_of_other_profiles_are_links),
	        cmocka_unit_test(findings_come_by_severity),
	        cmocka_unit_test(what_passed_is_folded_where_there_is_much),
	        cmocka_unit_test(pages_for_a_browser_can_be_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
