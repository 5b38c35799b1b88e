#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "report/html/htmlreport.h"
#include "report/json/reportjson.h"
#include "tests/report/annotatedsample.h"
#include "tests/report/htmlexample.h"
#include "tests/report/wellformed.h"

static char *render(const CheckResult *result)
{
	return report_html(&(HtmlReport){.result = result}, NULL);
}

static char *render_sample(void)
{
	g_autoptr(CheckResult) result = sample_result();
	sample_trust(g_ptr_array_index(result->benchmarks, 0));
	return render(result);
}

/* The result as it comes back from its report.json. */
static CheckResult *read_back(const CheckResult *result)
{
	gsize length;
	g_autofree char *json = report_json(result, &length);
	CheckResult *again = report_read(json, length, "report.json", NULL);
	assert_non_null(again);
	return again;
}

static void assert_contains(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("not in the page: %s", part);
}

static guint count_of(const char *text, const char *part)
{
	guint n = 0;
	for (const char *at = strstr(text, part); at != NULL; at = strstr(at + 1, part))
		n++;
	return n;
}

/* The texts of all elements <tag ...>, whose start tag is to begin with `open`; borrowed slices as new strings. */
static GPtrArray *contents_of(const char *html, const char *open, const char *close)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	for (const char *at = strstr(html, open); at != NULL; at = strstr(at, open)) {
		const char *start = strchr(at, '>') + 1, *end = strstr(start, close);
		assert_non_null(end);
		g_ptr_array_add(found, g_strndup(start, (gsize)(end - start)));
		at = end;
	}
	return found;
}

/* The page as a parser of XML may read it: without the texts of scripts and styles, which are no markup in HTML. */
static char *as_xml(const char *html)
{
	static const char *const raw[][2] = {{"<script", "</script>"}, {"<style", "</style>"}};
	GString *xml = g_string_new(html);
	for (gsize kind = 0; kind < G_N_ELEMENTS(raw); kind++) {
		for (char *at = strstr(xml->str, raw[kind][0]); at != NULL;) {
			gssize start = strchr(at, '>') + 1 - xml->str,
			       end = strstr(xml->str + start, raw[kind][1]) - xml->str;
			g_string_erase(xml, start, end - start);
			at = strstr(xml->str + start, raw[kind][0]);
		}
	}
	return g_string_free(xml, FALSE);
}

static WellFormed parse(const char *html)
{
	g_autofree char *xml = as_xml(html);
	return wellformed_parse(xml);
}

static void the_first_lines_say_verdict_sentence_and_commits(void **state)
{
	(void)state;
	g_autofree char *html = render_sample();
	const char *verdict = strstr(html, "✕ Regression"), *table = strstr(html, "<table");
	const char *sentence = strstr(strstr(html, "<h1>"), "catalog (confirmed): task-clock +13.4 %");
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

/* Benchmarks without functions, as it would take a while to make thousands with them. */
static CheckResult *very_many(guint n)
{
	CheckResult *result = sample_result();
	for (guint i = 1; i < n; i++) {
		g_autofree char *name = g_strdup_printf("more-%u", i);
		ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
		benchmark->comparison = benchmark_comparison_new(name);
		benchmark->comparison->verdict = VERDICT_PASS;
		for (guint metric = 0; metric < 6; metric++)
			g_ptr_array_add(benchmark->comparison->metrics,
			        sample_metric("task-clock", "ns", 1e9, 1.001, .01, VERDICT_PASS, metric < 2));
		finding_add(result->findings, FINDING_INFO, "remark", name, "%0500d", i);
	}
	return result;
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

static CheckResult *annotated_result(void)
{
	CheckResult *result = sample_result();
	annotate_sample(result);
	return result;
}

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
	assert_contains(html, "The edited lines: +67.0 ms (with what they call: +86.0 ms); the other lines of the "
	                      "function: +1.60 ms.");
}

/* The bars of the table of benchmarks, as the texts of their elements. */
static GPtrArray *bars_of(const char *html)
{
	g_autoptr(GPtrArray) tables = contents_of(html, "<table class=\"sortable filterable overview\"", "</table>");
	return contents_of(g_ptr_array_index(tables, 0), "<svg class=\"bar\"", "</svg>");
}

static double dot_of(const char *bar)
{
	const char *at = strstr(bar, " cx=\"");
	assert_non_null(at);
	return g_ascii_strtod(at + strlen(" cx=\""), NULL);
}

static CheckResult *changed_by(const double *ratios, guint n)
{
	CheckResult *result = very_many(1);
	g_ptr_array_set_size(result->benchmarks, 0);
	for (guint i = 0; i < n; i++) {
		g_autofree char *name = g_strdup_printf("by-%u", i);
		Verdict verdict = ratios[i] > 1.03 ? VERDICT_REGRESSION : VERDICT_PASS;
		ResultBenchmark *benchmark = check_result_add_benchmark(result, name);
		benchmark->comparison = benchmark_comparison_new(name);
		benchmark->comparison->verdict = verdict;
		g_ptr_array_add(benchmark->comparison->metrics,
		        sample_metric("task-clock", "ns", 1e9, ratios[i], .01, verdict, TRUE));
	}
	return result;
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
	static const double ratios[] = {1.2};
	g_autoptr(CheckResult) result = changed_by(ratios, 1);
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	MetricComparison *metric = g_ptr_array_index(benchmark->comparison->metrics, 0);
	metric->upper_ratio = INFINITY;
	g_autofree char *html = render(result);
	g_autoptr(GPtrArray) bars = bars_of(html);
	const char *bar = g_ptr_array_index(bars, 0);
	assert_true(strstr(bar, "▸") != NULL && strstr(bar, "◂") == NULL && strstr(bar, "<circle") != NULL);
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
		g_autofree char *id = g_strdup_printf("class=\"benchmark\" id=\"benchmark-%s\"", order[i]);
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
	g_autofree char *html = render(result);
	g_autoptr(GPtrArray) rows = contents_of(html, "<th scope=\"row\"><a", "</tr>");
	g_autoptr(GPtrArray) names = contents_of(html, "<summary><h2", "</h2>");
	assert_contains(rows->pdata[0], "<span class=\"chip open\">✓ Accepted</span>");
	assert_contains(rows->pdata[0], "<code>hash_word</code>");
	assert_null(strstr(rows->pdata[0], "Pass"));
	assert_contains(names->pdata[0], "✓ Accepted");
}

static void many_that_passed_are_folded_behind_one_that_did_not(void **state)
{
	(void)state;
	double ratios[20] = {[7] = 1.2};
	for (guint i = 0; i < G_N_ELEMENTS(ratios); i++)
		ratios[i] = ratios[i] > 0 ? ratios[i] : 1;
	g_autoptr(CheckResult) result = changed_by(ratios, G_N_ELEMENTS(ratios));
	g_autofree char *html = render(result);
	const char *fold = strstr(html, "<details class=\"rest\"><summary>19 benchmarks that passed</summary>");
	const char *failed = strstr(html, "<a href=\"#benchmark-by-7\">");
	assert_true(fold != NULL && failed != NULL && failed < fold);
	assert_int_equal(count_of(html, "<summary>19 benchmarks that passed</summary>"), 2);
	WellFormed xml = parse(html);
	wellformed_clear(&xml);
	g_autoptr(CheckResult) passed = changed_by(ratios, 7);
	g_autofree char *all = render(passed);
	assert_null(strstr(all, "benchmarks that passed</summary>"));
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
	g_autofree char *summary =
	        g_strdup_printf("<details class=\"rest\"><summary>show %u more, smaller or unchanged</summary>", more);
	assert_contains(html, summary);
	assert_null(strstr(g_ptr_array_index(tables, 1), "fails the check"));
}

static void parts_stand_in_the_order_of_questions_and_are_linked_from_the_header(void **state)
{
	(void)state;
	static const char *const parts[] = {"metrics", "flame-graph", "source", "functions", "callers", "rounds"};
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
	assert_contains(html, "<a href=\"#changed-code\">changed code</a></nav>\n</header>");
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
	assert_int_equal(count_of(text, "<circle"), ANNOTATED_COMMITS - 1);
	assert_int_equal(count_of(text, "class=\"margin\""), 1);
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

static void every_round_has_a_dot_for_base_and_one_for_head(void **state)
{
	(void)state;
	g_autoptr(CheckResult) result = sample_result();
	ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, 0);
	g_ptr_array_set_size(benchmark->comparison->metrics, 1);
	g_autofree char *html = render(result);
	assert_int_equal(count_of(html, "<circle class=\"dot-base\""), SAMPLE_RUNS);
	assert_int_equal(count_of(html, "<circle class=\"dot-head\""), SAMPLE_RUNS);
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
	assert_int_equal(count_of(html, "<circle class=\"dot-base\""), SAMPLE_RUNS - 1);
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
	assert_int_equal(count_of(html, "<details class=\"benchmark\""), 4);
	assert_int_equal(count_of(html, "open=\"\">\n<summary>"), 1);
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
	        cmocka_unit_test(lines_stand_side_by_side_with_their_costs),
	        cmocka_unit_test(lines_of_counts_have_no_samples),
	        cmocka_unit_test(of_samples_it_is_said_that_they_slip_and_what_the_edited_lines_took),
	        cmocka_unit_test(every_bar_has_its_dot_where_it_belongs_however_large_the_change),
	        cmocka_unit_test(an_interval_that_is_open_has_an_arrow_there_and_its_dot),
	        cmocka_unit_test(the_worst_benchmark_comes_first),
	        cmocka_unit_test(what_is_accepted_is_said_in_the_overview_and_beside_the_name),
	        cmocka_unit_test(many_that_passed_are_folded_behind_one_that_did_not),
	        cmocka_unit_test(a_table_of_functions_shows_what_changed_and_the_largest),
	        cmocka_unit_test(parts_stand_in_the_order_of_questions_and_are_linked_from_the_header),
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
	        cmocka_unit_test(a_fact_without_a_value_is_left_out),
	        cmocka_unit_test(both_engines_stand_side_by_side),
	        cmocka_unit_test(scripts_of_pictures_are_there_once),
	        cmocka_unit_test(a_result_from_its_report_has_all_but_profiles),
	        cmocka_unit_test(an_error_before_any_measurement_says_what_and_how_to_repeat_it),
	        cmocka_unit_test(the_command_that_repeats_it_is_quoted_for_a_shell),
	        cmocka_unit_test(pictures_of_other_profiles_are_links),
	        cmocka_unit_test(findings_come_by_severity),
	        cmocka_unit_test(what_passed_is_folded_where_there_is_much),
	        cmocka_unit_test(functions_that_all_count_the_same_need_no_table),
	        cmocka_unit_test(pages_for_a_browser_can_be_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
