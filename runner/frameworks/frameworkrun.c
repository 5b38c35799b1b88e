/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/frameworkrun.h"

#include "core/error.h"
#include "model/numbers/number.h"
#include "runner/frameworks/catch2run.h"
#include "runner/frameworks/frameworkcases.h"
#include "runner/frameworks/frameworkoutput.h"
#include "runner/frameworks/frameworks.h"
#include "runner/frameworks/libtestrun.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESULTS "framework.json"
#define CRITERION_FOLDER "criterion"
#define CATCH2_SAMPLES 100
/* The time that a case runs whose iterations can only be read. */
#define CALIBRATED_SECONDS "0.5"
#define NANOBENCH_EPOCH "minEpochTime=50ms"
/* Less than this share of a run in the iterations of its cases is worth a word. */
#define LITTLE_MEASURED .5
/* Some of what a framework calls an iteration may go on while the run does not. */
#define MIN_WORK 1e-3
#define THREADS "/threads:"
/* Less is a difference of two runs, and says nothing but that it is next to nothing. */
#define TOLD_NS .01
/* The first iterations of a case are slower than the last ones, by whose time all are counted; these may be disturbed.
 */
#define MAX_TOLD_RATIO 1.5
/* Those of half of the samples of 5 of 6 iterations, which are no faster than the median, take the run at most. */
#define MAX_MEDIAN_RATIO 2.4

FrameworkRun framework_run(const ConfigBenchmark *benchmark, const char *dir, const Engine *engine)
{
	gboolean own = engine_counts(engine) && benchmark->counted_iterations > 0;
	return (FrameworkRun){
	        .benchmark = benchmark,
	        .dir = dir,
	        .iterations = own ? benchmark->counted_iterations : benchmark->iterations,
	        .cases = framework_cases_known(benchmark, engine),
	        .counted = engine_counts(engine),
	};
}

gsize framework_keep_bytes(const ConfigBenchmark *benchmark)
{
	return framework(benchmark->framework) != NULL ? FRAMEWORK_KEEP_BYTES : 0;
}

/* --- before a run --- */

static void add_option(GPtrArray *words, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void add_option(GPtrArray *words, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	g_ptr_array_add(words, g_strdup_vprintf(format, arguments));
	va_end(arguments);
}

static const char *filter_of(const ConfigBenchmark *benchmark)
{
	return benchmark->case_filter != NULL ? benchmark->case_filter : benchmark->filter;
}

static void add_catch2(const FrameworkRun *run, GPtrArray *words)
{
	if (filter_of(run->benchmark) != NULL)
		add_option(words, "%s", filter_of(run->benchmark));
	add_option(words, "--reporter=xml");
	add_option(words, "--benchmark-no-analysis");
	add_option(words, "--benchmark-samples=%u",
	        run->iterations > 0 ? catch2_samples(run->iterations, run->counted) : CATCH2_SAMPLES);
	/* the time (ms) for that, and for the first iterations, at least */
	add_option(words, "--benchmark-warmup-time=1");
}

/* libtest takes several names, which stand in lines here. */
static void add_rust_filter(const ConfigBenchmark *benchmark, GPtrArray *words)
{
	const char *filter = filter_of(benchmark);
	gboolean names = benchmark->framework == FRAMEWORK_LIBTEST;
	g_auto(GStrv) lines = g_strsplit(filter != NULL ? filter : "", "\n", names ? -1 : 1);
	if (filter != NULL && names)
		add_option(words, "--exact");
	for (char **line = lines; *line != NULL; line++)
		add_option(words, "%s", *line);
}

static void add_rust(const FrameworkRun *run, GPtrArray *words)
{
	add_option(words, "--bench");
	if (run->benchmark->framework == FRAMEWORK_CRITERION) {
		add_option(words, "--noplot");
		/* its statistics, of which nothing is read, took a quarter of the CPU time of a run; fewer than so many
		 * make it print a warning */
		add_option(words, "--nresamples=2000");
	}
	add_rust_filter(run->benchmark, words);
}

/* Go says nothing of memory unless it is asked to. */
static gboolean gates_allocations(const ConfigBenchmark *benchmark)
{
	for (const char *const *metric = config_framework_metrics(benchmark); *metric != NULL; metric++)
		if (config_gate(benchmark, *metric) != NULL)
			return TRUE;
	return FALSE;
}

static GPtrArray *arguments_of(const FrameworkRun *run)
{
	const ConfigBenchmark *benchmark = run->benchmark;
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	if (benchmark->framework == FRAMEWORK_GO) {
		add_option(words, "-test.run=^$");
		add_option(words, "-test.bench=%s", filter_of(benchmark) != NULL ? filter_of(benchmark) : ".");
		add_option(words, "-test.benchtime=%ux", MAX(run->iterations, 1));
		if (gates_allocations(benchmark))
			add_option(words, "-test.benchmem");
	} else if (benchmark->framework == FRAMEWORK_CATCH2) {
		add_catch2(run, words);
	} else if (benchmark->framework == FRAMEWORK_CRITERION || benchmark->framework == FRAMEWORK_LIBTEST) {
		add_rust(run, words);
	}
	return words;
}

/* A text for a shell stands after `-c`, at the end: a self-test may start another program before it. */
static gboolean ends_with_text(char *const *command)
{
	guint n = g_strv_length((char **)command);
	return n >= 3 && g_str_equal(command[n - 3], "/bin/sh") && g_str_equal(command[n - 2], "-c");
}

/* Takes the text. Owned by the caller. */
static char *append_words(char *text, const GPtrArray *words)
{
	GString *longer = g_string_new(g_strchomp(text));
	g_free(text);
	for (guint i = 0; i < words->len; i++) {
		g_autofree char *quoted = g_shell_quote(words->pdata[i]);
		g_string_append_printf(longer, " %s", quoted);
	}
	return g_string_free(longer, FALSE);
}

/* Takes the words. Owned by the caller. */
static char **command_with(const ConfigBenchmark *benchmark, GPtrArray *words)
{
	GPtrArray *command = g_ptr_array_new();
	for (char *const *word = benchmark->command; *word != NULL; word++)
		g_ptr_array_add(command, g_strdup(*word));
	if (words->len > 0 && ends_with_text(benchmark->command)) {
		command->pdata[command->len - 1] = append_words(command->pdata[command->len - 1], words);
		g_ptr_array_unref(words);
	} else {
		g_ptr_array_extend_and_steal(command, words);
	}
	g_ptr_array_add(command, NULL);
	return (char **)g_ptr_array_free(command, FALSE);
}

char **framework_command(const FrameworkRun *run)
{
	return command_with(run->benchmark, arguments_of(run));
}

char **framework_list_command(const ConfigBenchmark *benchmark)
{
	const Framework *row = framework(benchmark->framework);
	if (row == NULL || row->list == NULL)
		return NULL;
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);
	if (benchmark->framework == FRAMEWORK_CATCH2 && filter_of(benchmark) != NULL)
		add_option(words, "%s", filter_of(benchmark));
	for (const char *const *word = row->list; *word != NULL; word++)
		add_option(words, "%s", *word);
	if (benchmark->framework == FRAMEWORK_CRITERION || benchmark->framework == FRAMEWORK_LIBTEST)
		add_rust_filter(benchmark, words);
	return command_with(benchmark, words);
}

/* Variables do what arguments would, and reach a program that a script starts. */
static char **google_environment(const FrameworkRun *run, char **environment)
{
	g_autofree char *results = g_build_filename(run->dir, RESULTS, NULL);
	g_autofree char *least =
	        run->iterations > 0 ? g_strdup_printf("%ux", run->iterations) : g_strdup(CALIBRATED_SECONDS);
	environment = g_environ_setenv(environment, "BENCHMARK_OUT", results, TRUE);
	environment = g_environ_setenv(environment, "BENCHMARK_OUT_FORMAT", "json", TRUE);
	environment = g_environ_setenv(environment, "BENCHMARK_MIN_TIME", least, TRUE);
	if (filter_of(run->benchmark) != NULL)
		environment = g_environ_setenv(environment, "BENCHMARK_FILTER", filter_of(run->benchmark), TRUE);
	/* the log tells of all that it runs to calibrate itself */
	return run->iterations > 0 ? environment : g_environ_setenv(environment, "V", "2", TRUE);
}

char **framework_environment(const FrameworkRun *run, char **environment)
{
	g_autofree char *folder = g_build_filename(run->dir, CRITERION_FOLDER, NULL);
	switch (run->benchmark->framework) {
	case FRAMEWORK_GOOGLE_BENCHMARK:
		return google_environment(run, environment);
	case FRAMEWORK_CRITERION:
		return g_environ_setenv(environment, "CRITERION_HOME", folder, TRUE);
	case FRAMEWORK_NANOBENCH:
		return g_environ_setenv(environment, "NANOBENCH_CONFIG", NANOBENCH_EPOCH, TRUE);
	case FRAMEWORK_CATCH2:
		return run->iterations > 0 ? catch2_environment(run->dir, run->iterations, run->counted, environment)
		                           : environment;
	case FRAMEWORK_LIBTEST:
		return run->iterations > 0 ? libtest_environment(run->dir, run->iterations, environment) : environment;
	default:
		return environment;
	}
}

/* --- after it --- */

/* TRUE if all that was written was kept, and reads as one text. */
static gboolean is_whole(const GString *text, guint64 written)
{
	return written <= text->len && strlen(text->str) == text->len;
}

/* Iterations that it chose are known from its log alone, which must be whole. */
static gboolean check_log(const FrameworkRun *run, const ChildResult *result, const GPtrArray *cases, GError **error)
{
	for (guint i = 0; run->iterations == 0 && i < cases->len; i++) {
		const FrameworkCase *one = cases->pdata[i];
		if (!one->logged || !is_whole(result->err, result->err_bytes))
			return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
			        "chose the iterations of %s itself, and its log on standard error %s", one->name,
			        one->logged ? "is too long to be kept, or has NUL bytes: write less there"
			                    : "does not say how many: use google-benchmark 1.8 or newer, and leave "
			                      "--benchmark_min_time and --v out of the command");
	}
	return TRUE;
}

static GPtrArray *read_google(const FrameworkRun *run, const ChildResult *result, GError **error)
{
	g_autofree char *path = g_build_filename(run->dir, RESULTS, NULL);
	g_autoptr(GString) results = framework_file(path);
	if (results != NULL) {
		g_autoptr(GPtrArray) cases = google_output_parse(results->str, results->len, result->err->str, error);
		return cases != NULL && check_log(run, result, cases, error) ? g_steal_pointer(&cases) : NULL;
	}
	firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "wrote no results of google-benchmark to the file that BENCHMARK_OUT names: is it such a program?");
	return NULL;
}

static GPtrArray *read_libtest(const FrameworkRun *run, const ChildResult *result, GError **error)
{
	GPtrArray *cases = libtest_output_parse(result->out->str, error);
	if (cases != NULL && run->iterations > 0)
		libtest_read_log(run->dir, run->iterations, cases);
	return cases;
}

static GPtrArray *read_catch2(const FrameworkRun *run, const ChildResult *result, GError **error)
{
	if (run->iterations == 0)
		return catch2_output_parse(result->out->str, NULL, error);
	g_autoptr(GArray) times = catch2_sample_times(run->dir, run->iterations, run->counted);
	GPtrArray *cases = catch2_output_parse(result->out->str, times, error);
	if (cases != NULL)
		catch2_settle(cases, run->iterations, run->counted, times->len);
	return cases;
}

static GPtrArray *read_cases(const FrameworkRun *run, const ChildResult *result, GError **error)
{
	g_autofree char *folder = g_build_filename(run->dir, CRITERION_FOLDER, NULL);
	switch (run->benchmark->framework) {
	case FRAMEWORK_GOOGLE_BENCHMARK:
		return read_google(run, result, error);
	case FRAMEWORK_GO:
		return go_output_parse(result->out->str, error);
	case FRAMEWORK_CATCH2:
		return read_catch2(run, result, error);
	case FRAMEWORK_CRITERION:
		return criterion_output_read(folder, error);
	case FRAMEWORK_LIBTEST:
		return read_libtest(run, result, error);
	case FRAMEWORK_NANOBENCH:
		return nanobench_output_parse(result->out->str, error);
	default:
		return framework_cases_new();
	}
}

/* FALSE if a part of its results may be lost: what is left would be taken for all that it did. */
static gboolean check_whole(const FrameworkRun *run, const ChildResult *result, GError **error)
{
	if (run->benchmark->framework == FRAMEWORK_GOOGLE_BENCHMARK ||
	        run->benchmark->framework == FRAMEWORK_CRITERION || is_whole(result->out, result->out_bytes))
		return TRUE;
	if (result->out_bytes <= result->out->len)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "wrote NUL bytes to standard output, where its results are: write only text there");
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "wrote %" G_GUINT64_FORMAT " bytes to standard output, of which %" G_GSIZE_FORMAT
	        " are kept, so that results may be lost: write less there, or choose fewer cases with `filter`",
	        result->out_bytes, result->out->len);
}

GPtrArray *framework_read(const FrameworkRun *run, const ChildResult *result, GError **error)
{
	const char *filter = filter_of(run->benchmark);
	if (!check_whole(run, result, error))
		return NULL;
	g_autoptr(GPtrArray) cases = read_cases(run, result, error);
	if (cases == NULL || cases->len > 0)
		return g_steal_pointer(&cases);
	firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "ran no benchmark of %s%s%s%s",
	        framework_name(run->benchmark->framework), filter != NULL ? ": `filter: " : "",
	        filter != NULL ? filter : "", filter != NULL ? "` matches none" : "");
	return NULL;
}

static double threads_of(const FrameworkCase *one)
{
	const char *at = strstr(one->name, THREADS);
	return at != NULL ? MAX(g_ascii_strtod(at + strlen(THREADS), NULL), 1) : 1;
}

/* TRUE if the case did what was asked for. Threads are counted all together, or each by itself. */
static gboolean obeys(const FrameworkRun *run, const FrameworkCase *one)
{
	return one->reported == run->iterations || one->reported == run->iterations * threads_of(one);
}

static gboolean refuse_own_clock(const FrameworkRun *run, const FrameworkCase *one, GError **error)
{
	gboolean catch2 = run->benchmark->framework == FRAMEWORK_CATCH2;
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "could not be made to do a fixed number of iterations: %s reads the clock a known number of times per "
	        "%s, but this run read it a different number of times%s; remove calls such as %s from %s, or exclude "
	        "it with `filter`",
	        framework_name(run->benchmark->framework), catch2 ? "BENCHMARK" : "Bencher::iter()",
	        catch2 ? " or printed meanwhile" : "", catch2 ? "steady_clock::now()" : "Instant::now()",
	        run->cases != NULL && run->cases->len > 1 ? "its cases" : one->name);
}

static gboolean refuse_disobedience(const FrameworkRun *run, const FrameworkCase *one, GError **error)
{
	gboolean google = run->benchmark->framework == FRAMEWORK_GOOGLE_BENCHMARK;
	if (framework(run->benchmark->framework)->own_word)
		return refuse_own_clock(run, one, error);
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "was asked for %u iterations of %s and says that it did %.17g; %s", run->iterations, one->name,
	        one->reported,
	        google ? "versions before 1.8 and cases that name their iterations cannot be told: leave `iterations` "
	                 "out, and take --benchmark_min_time out of the command"
	               : "take arguments that say how long it measures out of the command");
}

/* The iterations of a case, in the unit in which all of a run must have the same. */
static double done(const FrameworkRun *run, const FrameworkCase *one)
{
	gboolean told = run->iterations > 0 && run->benchmark->framework == FRAMEWORK_GOOGLE_BENCHMARK;
	return told ? (double)run->iterations * one->repetitions : one->iterations;
}

double framework_run_ns(const ConfigBenchmark *benchmark, double cpu_ns, double wall_ns)
{
	return benchmark->framework == FRAMEWORK_LIBTEST ? cpu_ns : wall_ns;
}

/* The whole time of the run, in times of an iteration. What the run did besides, such as finding out how fine its clock
 * is, counts as iterations then; that their cost is right is all that is needed of the number. */
static gboolean work_by_time(const GPtrArray *cases, double run_ns, double *work, GError **error)
{
	double ns = framework_cases_ns(cases);
	*work = run_ns / ns;
	return (*work >= MIN_WORK && *work <= FRAMEWORK_MAX_ITERATIONS) ||
	       firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	               "says that an iteration of %s takes %.17g ns, and ran for %.17g ns: its work cannot be told by "
	               "that",
	               ((const FrameworkCase *)cases->pdata[0])->name, ns, run_ns);
}

gboolean framework_work(const FrameworkRun *run, const GPtrArray *cases, double run_ns, double *work, GError **error)
{
	const Framework *row = framework(run->benchmark->framework);
	const FrameworkCase *first = cases->pdata[0];
	for (guint i = 0; run->iterations > 0 && row->work == FRAMEWORK_FIXES && i < cases->len; i++)
		if (!obeys(run, cases->pdata[i]))
			return refuse_disobedience(run, cases->pdata[i], error);
	if (!framework_knows_work(row->id, run->iterations))
		return work_by_time(cases, run_ns, work, error);
	*work = done(run, first);
	for (guint i = 0; i < cases->len; i++) {
		const FrameworkCase *one = cases->pdata[i];
		if (!(done(run, one) == *work && *work >= 1 && *work <= FRAMEWORK_MAX_ITERATIONS))
			return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
			        "did %.17g iterations of %s and %.17g of %s, so there is no cost per iteration: make "
			        "each "
			        "case a benchmark of its own, with `filter`",
			        *work, first->name, done(run, one), one->name);
	}
	return TRUE;
}

static double told_ns(const GPtrArray *cases)
{
	double ns = 0;
	for (guint i = 0; i < cases->len; i++) {
		const FrameworkCase *one = cases->pdata[i];
		ns += one->iterations * one->ns;
	}
	return ns;
}

/* A log that tells of iterations which the time of the run cannot hold makes each of them look cheaper. Of
 * google-benchmark that is CPU time. libtest says the median by the wall of 50 samples, which have 5 of 6 iterations:
 * half of them take as long or longer. */
static gboolean has_time_for(
        const FrameworkRun *run, const GPtrArray *cases, double cpu_ns, double wall_ns, GError **error)
{
	FrameworkId id = run->benchmark->framework;
	if (id == FRAMEWORK_GOOGLE_BENCHMARK && run->iterations == 0 && told_ns(cases) > MAX_TOLD_RATIO * cpu_ns)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "tells of iterations that take %.2f s, and used %.2f s of CPU time: its log says more than it "
		        "did",
		        told_ns(cases) / 1e9, cpu_ns / 1e9);
	if (id == FRAMEWORK_LIBTEST && run->iterations > 0 && told_ns(cases) > MAX_MEDIAN_RATIO * wall_ns)
		return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
		        "was to do iterations that take %.2f s by the time that it says, and ran for %.2f s: it is "
		        "another libtest than firebreak knows",
		        told_ns(cases) / 1e9, wall_ns / 1e9);
	return TRUE;
}

/* nanobench may say the time of a byte, many of which an iteration does. */
static gboolean is_removed(FrameworkId id, double ns)
{
	return id != FRAMEWORK_NANOBENCH && ns < FRAMEWORK_CYCLE_NS;
}

/* The first case that does nothing, and the number of them. */
static const FrameworkCase *find_removed(const FrameworkRun *run, const GPtrArray *cases, guint *n)
{
	const FrameworkCase *found = NULL;
	*n = 0;
	for (guint i = cases->len; i > 0; i--) {
		const FrameworkCase *one = cases->pdata[i - 1];
		if (!is_removed(run->benchmark->framework, one->ns))
			continue;
		found = one;
		(*n)++;
	}
	return found;
}

static const char *remedy_of(FrameworkId id)
{
	switch (id) {
	case FRAMEWORK_GOOGLE_BENCHMARK:
		return "give its result to benchmark::DoNotOptimize()";
	case FRAMEWORK_GO:
		return "store its result in a variable of the package";
	case FRAMEWORK_CATCH2:
		return "return its result from the BENCHMARK";
	default:
		return "give what it reads and its result to black_box()";
	}
}

char *framework_removed_text(FrameworkId id, const char *name, double ns)
{
	if (!is_removed(id, ns))
		return NULL;
	g_autofree char *time = number_digits(ns < TOLD_NS ? 0 : ns, 2);
	return g_strdup_printf(
	        "an iteration of %s takes %s ns, less than a CPU cycle: the compiler has removed the work; %s, "
	        "or leave the case out",
	        name, time, remedy_of(id));
}

void framework_correct(const FrameworkRun *run, const GPtrArray *cases, double work, double cpu_ns, double wall_ns)
{
	gboolean fixes = framework_knows_work(run->benchmark->framework, run->iterations);
	/* where libtest chooses its iterations, it says the median of samples that are too short to be interrupted; the
	 * CPU time of a region is not that of the run */
	if ((run->benchmark->framework == FRAMEWORK_LIBTEST && !fixes) || run->benchmark->measure == MEASURE_REGION)
		return;
	for (guint i = 0; i < cases->len; i++) {
		FrameworkCase *one = cases->pdata[i];
		/* the CPU time of one case is that of the run, with its start */
		double ns = !fixes ? one->ns * cpu_ns / wall_ns : cases->len == 1 ? cpu_ns / work : NAN;
		one->ns = fmin(one->ns, ns);
	}
}

/* The first case that has work on base and none here. */
static const FrameworkCase *find_removed_alone(const FrameworkRun *run, const GPtrArray *cases, double *known_ns)
{
	for (guint i = 0; run->cases != NULL && i < cases->len; i++) {
		const FrameworkCase *one = cases->pdata[i];
		const ConfigCase *known = framework_cases_find(run->cases, i, one->name);
		if (known == NULL || !framework_case_removed(known->ns, one->ns) ||
		        !is_removed(run->benchmark->framework, one->ns))
			continue;
		*known_ns = known->ns;
		return one;
	}
	return NULL;
}

gboolean framework_measures(const FrameworkRun *run, const GPtrArray *cases, GError **error)
{
	guint n = 0;
	double known_ns = NAN;
	const FrameworkCase *removed =
	        run->cases != NULL ? find_removed_alone(run, cases, &known_ns) : find_removed(run, cases, &n);
	if (removed == NULL || (run->cases == NULL && n < cases->len))
		return TRUE;
	g_autofree char *text = framework_removed_text(run->benchmark->framework, removed->name, removed->ns);
	g_autofree char *known = number_decimal(known_ns, known_ns < 10 ? 2 : 0);
	gboolean tells = isfinite(known_ns);
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "%s%s%s%s", text, tells ? "; on base it takes " : "",
	        tells ? known : "", tells ? " ns, so they cannot be compared" : "");
}

/* Where other cases of the run have work, they are judged. */
static void note_removed(const FrameworkRun *run, const GPtrArray *cases, FindingList *findings)
{
	guint n;
	const FrameworkCase *removed = find_removed(run, cases, &n);
	if (removed == NULL || finding_has_of(findings, "optimized_away", run->benchmark->name, ""))
		return;
	g_autofree char *text = framework_removed_text(run->benchmark->framework, removed->name, removed->ns);
	finding_add(findings, FINDING_WARNING, "optimized_away", run->benchmark->name,
	        "%u of %u cases measure nothing: %s", n, cases->len, text);
}

static void add_metric(RunOutcome *outcome, const char *name, const char *unit, double value, gboolean higher)
{
	if (isnan(framework_figure(value)) || outcome->own == NULL || own_metrics_find(outcome->own, name) != NULL ||
	        outcome->own->metrics->len >= OWN_METRICS_MAX)
		return;
	OwnMetric own = {g_strdup(name), g_strdup(unit), value, higher};
	g_ptr_array_add(outcome->own->metrics, g_memdup2(&own, sizeof own));
	const RunMetric metric = {
	        .engine = &engine_benchmark,
	        .name = own.name,
	        .unit = own.unit,
	        .comparable = METRIC_SAME_CAMPAIGN,
	        .higher_is_better = higher,
	        .value = value,
	};
	g_array_append_val(outcome->metrics, metric);
}

/* Of one case its own numbers; of several, the time of an iteration of each. */
static void add_metrics(const GPtrArray *cases, RunOutcome *outcome)
{
	const FrameworkCase *first = cases->pdata[0];
	add_metric(outcome, "time-per-iteration", "ns", framework_cases_ns(cases), FALSE);
	if (cases->len > 1)
		return;
	add_metric(outcome, "items-per-second", "items/s", first->items_per_s, TRUE);
	add_metric(outcome, "bytes-per-second", "bytes/s", first->bytes_per_s, TRUE);
	add_metric(outcome, "allocated-per-iteration", "bytes", first->allocated_bytes, FALSE);
	add_metric(outcome, "allocations-per-iteration", "allocations", first->allocations, FALSE);
}

/* Costs per iteration are those of the whole run: what is neither is shared out over them and hides what they do. */
static void note_overhead(const FrameworkRun *run, const GPtrArray *cases, double cpu_ns, FindingList *findings)
{
	double own_ns = told_ns(cases);
	if (!framework_knows_work(run->benchmark->framework, run->iterations) || !(own_ns < LITTLE_MEASURED * cpu_ns) ||
	        finding_has_of(findings, "framework_overhead", run->benchmark->name, ""))
		return;
	finding_add(findings, FINDING_WARNING, "framework_overhead", run->benchmark->name,
	        "only %.0f %% of the CPU time of a run are iterations of its benchmarks: changes of them look smaller "
	        "than they are; let a run do more of them, and less to set up",
	        100 * own_ns / cpu_ns);
}

/* A finding on a run that nothing but the word of its framework tells of: work is CPU time divided by the time that it
 * says. */
static void note_own_word(const FrameworkRun *run, FindingList *findings)
{
	FrameworkId id = run->benchmark->framework;
	if (!framework_knows_work(id, run->iterations) && framework(id)->own_word)
		finding_add(findings, FINDING_INFO, "framework_own_word", run->benchmark->name,
		        "the number of iterations is not fixed, because a case reads the clock itself%s or the program "
		        "is linked statically; the CPU time of an iteration is the time that %s prints, which nothing "
		        "else confirms",
		        id == FRAMEWORK_CATCH2 ? " or prints," : "", framework_name(id));
}

/* FALSE if the run does not count: the outcome has failed with that code. `error` is read after `ok` is known. */
static gboolean fail_unless(gboolean ok, const char *code, GError *const *error, RunOutcome *outcome)
{
	if (!ok)
		run_outcome_fail(outcome, code, FALSE, "%s", (*error)->message);
	return ok;
}

/* The cases of a run that counts so far, with the units of work that it did; NULL if it does not count. */
static GPtrArray *judge_output(const FrameworkRun *run, const ChildResult *result, RunOutcome *outcome)
{
	g_autoptr(GError) error = NULL;
	double cpu_ns = outcome_metric(outcome, &engine_perf, "task-clock"), work = 0;
	double run_ns = framework_run_ns(run->benchmark, cpu_ns, (double)outcome->facts.wall_ns);
	g_autoptr(GPtrArray) cases = framework_read(run, result, &error);
	if (!fail_unless(cases != NULL, "framework_output", &error, outcome) ||
	        !fail_unless(framework_cases_same(run->cases, cases, &error), "cases_differ", &error, outcome) ||
	        !fail_unless(framework_measures(run, cases, &error), "optimized_away", &error, outcome) ||
	        !fail_unless(framework_work(run, cases, run_ns, &work, &error), "framework_output", &error, outcome) ||
	        !fail_unless(has_time_for(run, cases, cpu_ns, (double)outcome->facts.wall_ns, &error),
	                "framework_output", &error, outcome))
		return NULL;
	outcome->facts.work = work;
	return g_steal_pointer(&cases);
}

void framework_judge(const FrameworkRun *run, const ChildResult *result, FindingList *findings, RunOutcome *outcome)
{
	g_autoptr(GError) error = NULL;
	double cpu_ns = outcome_metric(outcome, &engine_perf, "task-clock");
	if (framework(run->benchmark->framework) == NULL || outcome->failure_code != NULL)
		return;
	g_autoptr(GPtrArray) cases = judge_output(run, result, outcome);
	if (cases == NULL)
		return;
	add_metrics(cases, outcome);
	note_own_word(run, findings);
	note_overhead(run, cases, cpu_ns, findings);
	framework_correct(run, cases, outcome->facts.work, cpu_ns, (double)outcome->facts.wall_ns);
	fail_unless(framework_measures(run, cases, &error), "optimized_away", &error, outcome);
	note_removed(run, cases, findings);
}
