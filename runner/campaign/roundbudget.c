/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/roundbudget.h"

#include "core/clock.h"
#include "model/median.h"

#include <math.h>

RoundBudget *round_budget_new(gint64 (*now_ns)(void), gint64 deadline_ns)
{
	RoundBudget *budget = g_new0(RoundBudget, 1);
	budget->now_ns = now_ns != NULL ? now_ns : clock_now_ns;
	budget->start_ns = budget->now_ns();
	budget->deadline_ns = deadline_ns;
	budget->rounds_ns = g_array_new(FALSE, FALSE, sizeof(double));
	return budget;
}

void round_budget_free(RoundBudget *budget)
{
	if (budget == NULL)
		return;
	g_array_unref(budget->rounds_ns);
	g_free(budget);
}

gint64 round_budget_now_ns(const RoundBudget *budget)
{
	return budget->now_ns();
}

double round_budget_elapsed_ns(const RoundBudget *budget)
{
	return (double)(budget->now_ns() - budget->start_ns);
}

double round_budget_left_ns(const RoundBudget *budget)
{
	return budget->deadline_ns == 0 ? INFINITY : (double)(budget->deadline_ns - budget->now_ns());
}

void round_budget_foretell(RoundBudget *budget, double usual_ns, double least_ns)
{
	budget->usual_foretold_ns = usual_ns;
	budget->least_foretold_ns = least_ns;
	round_budget_forget_rounds(budget);
}

void round_budget_forget_rounds(RoundBudget *budget)
{
	budget->least_ns = budget->least_foretold_ns;
	g_array_set_size(budget->rounds_ns, 0);
}

void round_budget_note_round(RoundBudget *budget, double whole_ns, double attempt_ns)
{
	budget->least_ns = budget->rounds_ns->len == 0 ? attempt_ns : MIN(budget->least_ns, attempt_ns);
	g_array_append_val(budget->rounds_ns, whole_ns);
}

double round_budget_round_ns(const RoundBudget *budget)
{
	return budget->rounds_ns->len == 0 ? budget->usual_foretold_ns : median_of(budget->rounds_ns);
}

gboolean round_budget_allows(const RoundBudget *budget, guint rounds_to_look)
{
	double left_ns = round_budget_left_ns(budget);
	return round_budget_round_ns(budget) <= left_ns && rounds_to_look * budget->least_ns <= left_ns;
}
