/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html/htmlreport.h"

#include "model/engine.h"
#include "report/flame/flamediffspread.h"
#include "report/html/htmlbenchmark.h"
#include "report/html/htmlchange.h"
#include "report/html/htmlclosing.h"
#include "report/html/htmloverview.h"
#include "report/html/htmltext.h"
#include "report/html/htmlverdict.h"
#include "report/words/headline.h"
#include "report/words/highlights.h"
#include "report/words/standing.h"
#include "report/words/wording.h"

#include <string.h>

#define PAGE_MAX_BENCHMARKS 200     /* so many are on the page */
#define OTHERS_SHARES 4             /* of the room, of a benchmark that did not pass, where one that did has 1 */
#define FIXED_BYTES ((gsize)150000) /* of style sheets and scripts, and what benchmarks take too much */
#define AGAIN "<p class=\"note\" id=\"again\">"

/* The kinds of profiles that a result has that was read again. */
typedef struct {
	gboolean kept, summed, missing; /* of any side: as it was, or nearly; without its runs, which told intervals;
	                                   not there */
} KeptKinds;

static void add_kind(KeptKinds *kinds, const Measurement *side, gboolean counted)
{
	guint runs = side == NULL || side->profile == NULL ? 0 : profile_n_runs(side->profile);
	kinds->kept = kinds->kept || runs > 0;
	kinds->missing = kinds->missing || runs == 0;
	kinds->summed = kinds->summed ||
	                (runs > 0 && runs < side->runs->len && side->runs->len >= FLAME_SPREAD_RUNS && !counted);
}

static void add_benchmark(KeptKinds *kinds, const ResultBenchmark *benchmark)
{
	if (benchmark->comparison == NULL || highlights_table(benchmark) == NULL)
		return;
	gboolean counted = engine_counts(benchmark->engine);
	add_kind(kinds, benchmark->base, counted);
	add_kind(kinds, benchmark->head, counted);
	for (guint i = 0; i < benchmark->profiles->len; i++) {
		const ResultProfile *profile = g_ptr_array_index(benchmark->profiles, i);
		if (!profile->decides)
			continue;
		add_kind(kinds, profile->base, engine_counts(profile->engine));
		add_kind(kinds, profile->head, engine_counts(profile->engine));
	}
}

/* Only where there are profiles at all is there anything to miss. */
static void append_again(GString *out, const HtmlReport *report)
{
	KeptKinds kinds = {0};
	for (guint i = 0; report->again && i < report->result->benchmarks->len; i++)
		add_benchmark(&kinds, g_ptr_array_index(report->result->benchmarks, i));
	if (!kinds.kept && !kinds.missing)
		return;
	g_string_append(out, AGAIN "Rendered again from report.json and the files beside it.");
	if (kinds.kept)
		g_string_append(out, " Pictures, callers and callees do not tell functions of one name in several "
		                     "modules apart.");
	if (kinds.summed)
		g_string_append(out, " Where only sums over all runs were kept, pictures do not tell how costs vary "
		                     "(±).");
	if (kinds.missing)
		g_string_append(out, " Where those files are missing, so are pictures, callers and callees.");
	g_string_append(out, "</p>\n");
}

/* The room of the page that is left for benchmarks, and the shares of those that did not have their turn. */
typedef struct {
	gsize bytes;
	guint shares;
} Room;

/* Of each list of functions: 1 of a benchmark that passed, more of others, 0 of one that is not on the page. */
static guint shares_of(const CheckResult *result, const GPtrArray *ids, guint index)
{
	const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, index);
	gboolean passed = benchmark->comparison != NULL && benchmark->comparison->verdict == VERDICT_PASS;
	FunctionList lists[FUNCTION_LISTS];
	guint n_lists = highlights_function_lists(benchmark, lists);
	return g_ptr_array_index(ids, index) == NULL ? 0 : MAX(n_lists, 1) * (passed ? 1 : OTHERS_SHARES);
}

static Room room_open(const CheckResult *result, const GPtrArray *ids, gsize others)
{
	Room room = {.bytes = HTML_REPORT_BYTES - MIN(HTML_REPORT_BYTES, others)};
	for (guint i = 0; i < result->benchmarks->len; i++)
		room.shares += shares_of(result, ids, i);
	return room;
}

/* Appends a benchmark; what it leaves of its share is there for those after it. */
static void append_benchmark(HtmlPage *page, HtmlBenchmark *shown, Room *room, guint shares)
{
	gsize before = page->body->len + page->data->len;
	shown->room = (gsize)((double)room->bytes * shares / room->shares);
	html_benchmark(page, shown);
	room->shares -= shares;
	room->bytes -= MIN(page->body->len + page->data->len - before, room->bytes);
}

/* The gravest ones first, and what is unchanged folded where it is much. Links to the parts of the first one that needs
 * a look are appended to `links`. */
static void append_benchmarks(HtmlPage *page, const HtmlReport *report, const GPtrArray *ids, Room room, GString *links)
{
	const CheckResult *result = report->result;
	g_autoptr(GArray) order = html_overview_order(result);
	guint n = MIN(order->len, PAGE_MAX_BENCHMARKS), folded = html_overview_folded(result, ids);
	for (guint at = 0; at < n; at++) {
		guint i = g_array_index(order, guint, at);
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		gboolean looked_at = standing_needs_a_look(standing_of(result, benchmark));
		HtmlBenchmark shown = {
		        .result = result,
		        .benchmark = benchmark,
		        .id = g_ptr_array_index(ids, i),
		        .card = looked_at || n == 1,
		        .summed = report->again,
		        .links = at == 0 && (looked_at || n == 1) ? links : NULL,
		};
		if (folded > 0 && at + folded == n)
			html_open_unchanged(page->body, folded);
		append_benchmark(page, &shown, &room, shares_of(result, ids, i));
	}
	if (folded > 0)
		g_string_append(page->body, "</details>\n");
}

/* Anchors of the benchmarks that are on the page, the gravest ones; NULL for the others. Owned by the caller. */
static GPtrArray *ids_of(HtmlPage *page, const CheckResult *result)
{
	GPtrArray *ids = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GArray) order = html_overview_order(result);
	g_ptr_array_set_size(ids, (gint)order->len);
	for (guint at = 0; at < MIN(order->len, PAGE_MAX_BENCHMARKS); at++) {
		guint i = g_array_index(order, guint, at);
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		g_ptr_array_index(ids, i) = html_page_id(page, "benchmark", benchmark->name);
	}
	return ids;
}

char *report_html(const HtmlReport *report, gsize *length)
{
	const CheckResult *result = report->result;
	g_autofree char *headline = headline_text(result);
	g_autofree char *title = g_strdup_printf("%s: %s", headline_word(result), headline);
	HtmlPage page;
	html_page_init(&page);
	g_autoptr(GPtrArray) ids = ids_of(&page, result);
	html_verdict_card(page.body, result);
	gsize header_end = page.body->len - strlen("</header>\n");
	g_string_append(page.body, "<main>\n");
	html_overview(&page, result, ids);
	g_autofree char *closing = html_closing(result);
	gsize others = FIXED_BYTES + page.body->len + strlen(closing) + html_change_room(result);
	g_autoptr(GString) links = g_string_new(NULL);
	append_benchmarks(&page, report, ids, room_open(result, ids, others), links);
	html_change_link(links, result);
	g_string_append(
	        links, "<nav class=\"parts\" aria-label=\"help\"><a href=\"#terms\">what the words mean</a></nav>\n");
	html_change(&page, result);
	g_string_insert(page.body, (gssize)header_end, links->str);
	g_string_append(page.body, closing);
	append_again(page.body, report);
	g_string_append(page.body, "</main>\n");
	return html_page_finish(&page, title, length);
}

gboolean html_report_is_whole(const char *text)
{
	return strstr(text, "Content-Security-Policy") != NULL && strstr(text, "<header class=\"") != NULL &&
	       strstr(text, AGAIN) == NULL;
}
