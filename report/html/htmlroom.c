#include "report/html/htmlroom.h"

#include "report/words/highlights.h"

#define WEIGHT_PASSED 1 /* of each list of functions */
#define WEIGHT_OTHERS 4

static gboolean has_passed(const ResultBenchmark *benchmark)
{
	return benchmark->comparison != NULL && benchmark->comparison->verdict == VERDICT_PASS;
}

/* Those that did not pass come first, then those that did, in their order. */
static void choose(HtmlRooms *rooms, const CheckResult *result)
{
	guint n = result->benchmarks->len, left = HTML_MOST_BENCHMARKS;
	for (guint passed = 0; passed < 2; passed++) {
		for (guint i = 0; i < n && left > 0; i++) {
			if (has_passed(g_ptr_array_index(result->benchmarks, i)) != (gboolean)passed)
				continue;
			rooms->shown[i] = TRUE;
			left--;
		}
	}
	rooms->n_hidden = n - (HTML_MOST_BENCHMARKS - left);
}

void html_rooms_open(HtmlRooms *rooms, gsize all, gsize others)
{
	rooms->left = all - MIN(all, others);
}

void html_rooms_init(HtmlRooms *rooms, const CheckResult *result)
{
	guint n = result->benchmarks->len;
	*rooms = (HtmlRooms){.shown = g_new0(gboolean, MAX(n, 1)), .weights = g_new0(guint, MAX(n, 1))};
	choose(rooms, result);
	for (guint i = 0; i < n; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		FunctionList lists[FUNCTION_LISTS];
		guint n_lists = highlights_function_lists(benchmark, lists);
		if (rooms->shown[i])
			rooms->weights[i] = MAX(n_lists, 1) * (has_passed(benchmark) ? WEIGHT_PASSED : WEIGHT_OTHERS);
		rooms->weight += rooms->weights[i];
	}
}

void html_rooms_clear(HtmlRooms *rooms)
{
	g_clear_pointer(&rooms->shown, g_free);
	g_clear_pointer(&rooms->weights, g_free);
}

gsize html_rooms_next(HtmlRooms *rooms, guint index)
{
	guint weight = rooms->weights[index];
	if (weight == 0)
		return 0;
	gsize room = (gsize)((double)rooms->left * weight / rooms->weight);
	rooms->weight -= weight;
	return room;
}

void html_rooms_use(HtmlRooms *rooms, gsize bytes)
{
	rooms->left -= MIN(bytes, rooms->left);
}
