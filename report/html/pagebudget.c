#include "report/html/pagebudget.h"

#include "report/words/highlights.h"

#define WEIGHT_PASSED 1 /* of each list of functions */
#define WEIGHT_OTHERS 4

static gboolean has_passed(const ResultBenchmark *benchmark)
{
	return benchmark->comparison != NULL && benchmark->comparison->verdict == VERDICT_PASS;
}

/* Those that did not pass come first, then those that did, in their order. */
static void choose(PageBudget *budget, const CheckResult *result)
{
	guint n = result->benchmarks->len, left = PAGE_MAX_BENCHMARKS;
	for (guint passed = 0; passed < 2; passed++) {
		for (guint i = 0; i < n && left > 0; i++) {
			if (has_passed(g_ptr_array_index(result->benchmarks, i)) != (gboolean)passed)
				continue;
			budget->shown[i] = TRUE;
			left--;
		}
	}
	budget->n_hidden = n - (PAGE_MAX_BENCHMARKS - left);
}

void page_budget_open(PageBudget *budget, gsize all, gsize others)
{
	budget->left = all - MIN(all, others);
}

void page_budget_init(PageBudget *budget, const CheckResult *result)
{
	guint n = result->benchmarks->len;
	*budget = (PageBudget){.shown = g_new0(gboolean, MAX(n, 1)), .weights = g_new0(guint, MAX(n, 1))};
	choose(budget, result);
	for (guint i = 0; i < n; i++) {
		const ResultBenchmark *benchmark = g_ptr_array_index(result->benchmarks, i);
		FunctionList lists[FUNCTION_LISTS];
		guint n_lists = highlights_function_lists(benchmark, lists);
		if (budget->shown[i])
			budget->weights[i] = MAX(n_lists, 1) * (has_passed(benchmark) ? WEIGHT_PASSED : WEIGHT_OTHERS);
		budget->weight += budget->weights[i];
	}
}

void page_budget_clear(PageBudget *budget)
{
	g_clear_pointer(&budget->shown, g_free);
	g_clear_pointer(&budget->weights, g_free);
}

gsize page_budget_next(PageBudget *budget, guint index)
{
	guint weight = budget->weights[index];
	if (weight == 0)
		return 0;
	gsize room = (gsize)((double)budget->left * weight / budget->weight);
	budget->weight -= weight;
	return room;
}

void page_budget_use(PageBudget *budget, gsize bytes)
{
	budget->left -= MIN(bytes, budget->left);
}
