/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gateframework.h"

#include "compare/endings.h"
#include "core/error.h"
#include "gate/steps/gatetrees.h"
#include "runner/frameworks/calibration.h"
#include "runner/frameworks/catch2run.h"
#include "runner/frameworks/commandframework.h"
#include "runner/frameworks/frameworkcases.h"
#include "runner/frameworks/frameworkrun.h"
#include "runner/frameworks/frameworks.h"
#include "runner/frameworks/libtestrun.h"

/* A run that is timed is long enough for its samples; one that is counted takes some fifty times as long. */
#define TIMED_SECONDS .7
#define COUNTED_SECONDS .02

gboolean gate_framework_accepts(const GateWork *work)
{
	const ConfigBenchmark *benchmark = work->benchmark;
	for (int s = SIDE_BASE; s < N_SIDES && benchmark->framework == FRAMEWORK_AUTO; s++) {
		const Side *side = gate_trees_first(&work->gate->trees, s, benchmark);
		g_autofree char *program = NULL;
		FrameworkId id =
		        side != NULL ? framework_of_command(side->tree_dir, benchmark, &program) : FRAMEWORK_NONE;
		if (id == FRAMEWORK_NONE)
			continue;
		ending_add_calibrating(work->gate->result, benchmark->name, program, side->name, framework_name(id));
		return FALSE;
	}
	return TRUE;
}

/* Base, or head where a single commit is measured. */
static const Side *calibrated_side(const GateWork *work)
{
	const GateTrees *trees = &work->gate->trees;
	const Side *base = gate_trees_first(trees, SIDE_BASE, work->benchmark);
	return base != NULL ? base : gate_trees_first(trees, SIDE_HEAD, work->benchmark);
}

/* The iterations that base's stored counts were made with, which those of head are then made with, too; 0 without any.
 * Go does one more than it is asked for, unless that is one; libtest, some hundred times as many; Catch2, some before
 * its samples. */
static guint stored_iterations(const GateWork *work)
{
	const Measurement *stored = work->base->stored;
	double units = stored != NULL ? stored->work : 0;
	if (units > 0 && work->benchmark->framework == FRAMEWORK_LIBTEST)
		return libtest_asked(units);
	if (units > 0 && work->benchmark->framework == FRAMEWORK_CATCH2)
		return catch2_asked(units);
	return units > 1 && work->benchmark->framework == FRAMEWORK_GO ? (guint)units - 1 : (guint)units;
}

/* `what` comes before the name: "this version of ", or nothing. */
static gboolean refuse_counting(const ConfigBenchmark *benchmark, const char *what, GError **error)
{
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "benchmark %s: callgrind needs a fixed number of iterations, and %s%s has no option that sets it: take "
	        "callgrind out of `engines`",
	        benchmark->name, what, framework_name(benchmark->framework));
}

/* --- the cases of head --- */

/* The question that both sides are asked, and where. */
typedef struct {
	const GateWork *work;
	ConfigBenchmark *benchmark;
	RunRequest request; /* of base, or of head where a single commit is measured */
	FrameworkPlan plan;
	GArray *cpus;
} Asking;

static RunRequest request_of(const Asking *asking, int side)
{
	RunRequest request = asking->request;
	request.side = gate_trees_first(&asking->work->gate->trees, side, asking->benchmark);
	return request;
}

static void note_added(const Asking *asking, const GPtrArray *added)
{
	g_autofree char *names = framework_names_text(added);
	finding_add(asking->work->gate->result->findings, FINDING_WARNING, "cases_added", asking->benchmark->name,
	        "head adds %s, which base does not have: not compared yet, both sides run the cases of base alone",
	        names);
}

/* Lets both sides run the cases of these names alone. FALSE if the framework cannot. */
static gboolean restrict_cases(const Asking *asking, const GPtrArray *names)
{
	g_free(asking->benchmark->case_filter);
	asking->benchmark->case_filter = framework_cases_filter(asking->benchmark->framework, names, asking->cpus->len);
	return asking->benchmark->case_filter != NULL;
}

/* By what the programs list, where a run of all cases would take long. What they run is looked at in each run. */
static void compare_lists(const Asking *asking)
{
	const RunRequest head = request_of(asking, SIDE_HEAD);
	g_autoptr(GPtrArray) here = framework_list(&asking->request, &asking->plan);
	g_autoptr(GPtrArray) there = here != NULL ? framework_list(&head, &asking->plan) : NULL;
	g_autoptr(GPtrArray) known = config_cases_new(), cases = config_cases_new();
	for (guint i = 0; there != NULL && i < here->len; i++)
		config_cases_add(known, here->pdata[i], 1, 0);
	for (guint i = 0; there != NULL && i < there->len; i++)
		config_cases_add(cases, there->pdata[i], 1, 0);
	g_autoptr(GPtrArray) added = framework_cases_added(known, cases);
	if (added->len > 0 && restrict_cases(asking, here))
		note_added(asking, added);
}

static GPtrArray *names_of(const GPtrArray *cases)
{
	GPtrArray *names = g_ptr_array_new();
	for (guint i = 0; i < cases->len; i++)
		g_ptr_array_add(names, ((const ConfigCase *)cases->pdata[i])->name);
	return names;
}

/* FALSE if work was removed on one side alone. */
static gboolean check_removed(const Asking *asking, const GPtrArray *known, const GPtrArray *cases, GError **error)
{
	const ConfigCase *of_base = framework_cases_removed_alone(known, cases);
	const ConfigCase *one = of_base != NULL ? of_base : framework_cases_removed_alone(cases, known);
	if (one == NULL)
		return TRUE;
	g_autofree char *text = framework_removed_text(asking->benchmark->framework, one->name, one->ns);
	return text == NULL || firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	                               "benchmark %s of %s: %s; %s has work there, so the two sides cannot be compared",
	                               asking->benchmark->name, of_base != NULL ? "base" : "head", text,
	                               of_base != NULL ? "head" : "base");
}

/* Where other cases have work, they are judged. */
static void note_removed(const Asking *asking, const GPtrArray *known)
{
	for (guint i = 0; i < known->len; i++) {
		const ConfigCase *one = known->pdata[i];
		g_autofree char *text = framework_removed_text(asking->benchmark->framework, one->name, one->ns);
		if (text == NULL)
			continue;
		finding_add(asking->work->gate->result->findings, FINDING_WARNING, "optimized_away",
		        asking->benchmark->name, "of %u cases not all measure something: %s", known->len, text);
		return;
	}
}

/* Runs head once. Cases that it adds are left out of both sides, where the framework can do that; any other difference
 * is refused when it is run. */
static gboolean compare_runs(const Asking *asking, const GPtrArray *known, GError **error)
{
	const RunRequest head = request_of(asking, SIDE_HEAD);
	g_autoptr(GPtrArray) cases = framework_look(&head, &asking->plan, error);
	if (cases == NULL)
		return FALSE;
	g_autoptr(GPtrArray) added = framework_cases_added(known, cases), names = names_of(known);
	if (added->len > 0 && restrict_cases(asking, names))
		note_added(asking, added);
	if (!check_removed(asking, known, cases, error))
		return FALSE;
	note_removed(asking, known);
	return TRUE;
}

/* FALSE if head cannot be compared with the cases of base. */
static gboolean compare_cases(const Asking *asking, const GPtrArray *known, GError **error)
{
	const Gate *gate = asking->work->gate;
	if (!gate->two_sides || gate_trees_first(&gate->trees, SIDE_HEAD, asking->benchmark) == NULL || known == NULL)
		return TRUE;
	const Framework *row = framework(asking->benchmark->framework);
	if (row->work == FRAMEWORK_FIXES && row->filters_cases)
		return compare_runs(asking, known, error);
	compare_lists(asking);
	return TRUE;
}

/* --- how much to do --- */

static gboolean calibrate_counted(Asking *asking, GError **error)
{
	ConfigBenchmark *benchmark = asking->benchmark;
	const Measurement *stored = asking->work->base->stored;
	FrameworkPlan *plan = &asking->plan;
	if (framework(benchmark->framework)->work != FRAMEWORK_FIXES)
		return refuse_counting(benchmark, "", error);
	plan->iterations = benchmark->iterations;
	if (plan->iterations == 0)
		plan->iterations = stored_iterations(asking->work);
	/* base need not even be built where its counts are stored */
	if (stored != NULL)
		plan->cases = framework_cases_read(stored->cases);
	else if (!framework_calibrate(&asking->request, COUNTED_SECONDS, plan, error))
		return FALSE;
	benchmark->counted_cases = plan->cases;
	benchmark->counted_iterations = plan->iterations;
	if (!asking->work->timed)
		benchmark->work = plan->iterations;
	return (plan->iterations > 0 || refuse_counting(benchmark, "this version of ", error)) &&
	       compare_cases(asking, benchmark->counted_cases, error);
}

/* Cases that each measure for a while share a run by time and not by iterations, so that a function's part in it is not
 * its part in an iteration of each. */
static void release_functions(const GateWork *work, ConfigBenchmark *benchmark)
{
	if (framework_knows_work(benchmark->framework, benchmark->iterations) || benchmark->cases->len < 2 ||
	        !benchmark->gate_functions)
		return;
	benchmark->gate_functions = FALSE;
	finding_add(work->gate->result->findings, FINDING_WARNING, "framework_cases", benchmark->name,
	        "a run has %u cases, and %s gives each the same time whatever it costs: functions do not gate, and "
	        "their shares are not costs; make each case a benchmark of its own, with `filter`",
	        benchmark->cases->len, framework_name(benchmark->framework));
}

static gboolean calibrate_timed(Asking *asking, GError **error)
{
	ConfigBenchmark *benchmark = asking->benchmark;
	const Framework *row = framework(benchmark->framework);
	FrameworkPlan *plan = &asking->plan;
	plan->iterations = benchmark->iterations;
	if (!framework_calibrate(&asking->request, TIMED_SECONDS, plan, error))
		return FALSE;
	if (row->median && !framework_knows_work(row->id, plan->iterations) && benchmark->schedule == SCHEDULE_AUTO)
		benchmark->schedule = SCHEDULE_SEQUENTIAL;
	benchmark->cases = plan->cases;
	benchmark->iterations = plan->iterations;
	benchmark->work = plan->work;
	release_functions(asking->work, benchmark);
	if (plan->iterations > 0)
		gate_progress(asking->work->gate, "%s: %u iterations in each run", benchmark->name, plan->iterations);
	return compare_cases(asking, benchmark->cases, error);
}

typedef gboolean (*Calibrate)(Asking *asking, GError **error);

/* On CPUs as a run has them: `n_cpus` of those that it would have. */
static gboolean calibrate_on(const GateWork *work, guint n_cpus, Calibrate calibrate, double limit_s, GError **error)
{
	const Gate *gate = work->gate;
	ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[work->index];
	g_autoptr(FindingList) findings = finding_list_new(); /* the campaign has them, too */
	g_autoptr(CpuPlan) cpus = cpu_plan_new(n_cpus, findings, error);
	if (cpus == NULL)
		return FALSE;
	Asking asking = {
	        .work = work,
	        .benchmark = benchmark,
	        .request = {.benchmark = benchmark, .side = calibrated_side(work), .pass_env = gate->config->pass_env},
	        .plan = {.cpus = cpus->measured},
	        .cpus = cpus->measured,
	};
	framework_plan_limit(&asking.plan, limit_s);
	return calibrate(&asking, error);
}

static void forget_cases(ConfigBenchmark *benchmark)
{
	g_clear_pointer(&benchmark->cases, g_ptr_array_unref);
	g_clear_pointer(&benchmark->counted_cases, g_ptr_array_unref);
	g_clear_pointer(&benchmark->case_filter, g_free);
}

gboolean gate_framework_calibrate(const GateWork *work, const BudgetShare *share, GError **error)
{
	Gate *gate = work->gate;
	ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[work->index];
	double limit_s = gate_seconds_until(&gate->budget, share->campaign_end_ns);
	if (framework(benchmark->framework) == NULL || calibrated_side(work) == NULL)
		return TRUE;
	forget_cases(benchmark);
	return (!work->counted || calibrate_on(work, 1, calibrate_counted, limit_s, error)) &&
	       (!work->timed || calibrate_on(work, benchmark->cpus, calibrate_timed, limit_s, error));
}
