/* Shares the room of report.html out among its benchmarks, so that the page stays one that a browser opens at once,
 * however many there are.
 *
 *     PageBudget budget;
 *     page_budget_init(&budget, result);
 *     page_budget_open(&budget, bytes of the page, bytes of everything else);
 *     for each benchmark that budget.shown[index]:
 *             gsize room = page_budget_next(&budget, index);
 *             ... render it in about `room` bytes ...
 *             page_budget_use(&budget, bytes that it took);
 *     page_budget_clear(&budget);
 *
 * A benchmark that did not pass gets more than one that did, and what one leaves over is there for those after it. Of
 * very many benchmarks some that passed are not on the page at all. */
#pragma once

#include "compare/result.h"

/* So many are on the page at most. */
#define PAGE_MAX_BENCHMARKS 200
/* With less room than that a benchmark is told in words alone. */
#define PAGE_MIN_BENCHMARK_BYTES ((gsize)5000)

typedef struct {
	gboolean *shown; /* by index of the benchmark */
	guint *weights;  /* likewise: what it may take, relative to the others; 0 = not shown */
	guint n_hidden;  /* benchmarks that are not shown */
	guint weight;    /* of all that did not have their turn yet */
	gsize left;      /* bytes for them */
} PageBudget;

/* Chooses which benchmarks are shown; there is no room yet. */
void page_budget_init(PageBudget *budget, const CheckResult *result);
/* Gives them what is left of `all` bytes when `others` are taken. */
void page_budget_open(PageBudget *budget, gsize all, gsize others);
void page_budget_clear(PageBudget *budget);
/* The bytes that the benchmark may take; each is asked for once, in their order. */
gsize page_budget_next(PageBudget *budget, guint index);
/* Notes the bytes that the last one took. */
void page_budget_use(PageBudget *budget, gsize bytes);
