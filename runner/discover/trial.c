/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trial.h"

#include "core/cancel.h"
#include "model/numbers/number.h"
#include "runner/discover/trialclock.h"
#include "runner/discover/trialremarks.h"
#include "runner/discover/usageguess.h"
#include "runner/discover/workvariable.h"
#include "runner/frameworks/frameworkoutput.h"
#include "runner/frameworks/frameworkrun.h"
#include "runner/frameworks/frameworks.h"
#include "runner/frameworks/programwatch.h"
#include "runner/hints/outputhint.h"
#include "runner/trees/hostenv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_MS (30 * 60 * 1000)
#define LIST_MS (20 * 1000)
/* A run may take so much CPU time; by the wall, so much times the load of a CPU, up to MAX_LOAD. */
#define RUN_MS (60 * 1000)
#define MAX_LOAD 8.
/* A run whose work can be set is to take AIM_NS, and at least ENOUGH_NS. */
#define AIM_NS (700 * G_GINT64_CONSTANT(1000000))
#define ENOUGH_NS (400 * G_GINT64_CONSTANT(1000000))
#define MAX_WORK (1 << 30)
/* A run that is no longer is tried some more times, to see if it works for a fixed time. */
#define MAX_CLOCK_TRIAL_NS (2 * G_GINT64_CONSTANT(1000000000))

static void say(const Trial *trial, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void say(const Trial *trial, const char *format, ...)
{
	if (trial->progress == NULL)
		return;
	va_list arguments;
	va_start(arguments, format);
	g_autofree char *text = g_strdup_vprintf(format, arguments);
	va_end(arguments);
	trial->progress(trial->progress_data, text);
}

/* Runs. A run that could not be started is a failure like others. */
typedef struct {
	char *failure; /* NULL = it exited with 0 */
	char *output;  /* standard output, then standard error */
	gint64 cpu_ns; /* user and system time */
	gboolean timed_out;
	/* a program that it executes calibrates itself: its framework, and its file; else FRAMEWORK_NONE, and NULL */
	FrameworkId calibrating;
	char *calibrating_path;
} TrialRun;

static void trial_run_clear(TrialRun *run)
{
	g_free(run->failure);
	g_free(run->output);
	g_free(run->calibrating_path);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(TrialRun, trial_run_clear)

static gboolean look_at_programs(gpointer watch, GError **error)
{
	(void)error;
	program_watch_look(watch);
	return TRUE;
}

/* Runs it, looking at the programs that it executes. NULL on an error. */
static Child *run_watched(const ChildSpec *spec, TrialRun *run, GError **error)
{
	g_autoptr(ProgramMemory) memory = program_memory_new();
	g_autoptr(Child) child = child_prepare(spec, error);
	if (child == NULL)
		return NULL;
	g_autoptr(GArray) watches = g_array_new(FALSE, FALSE, sizeof(ChildWatch));
	g_autoptr(ProgramWatch) watch = program_watch_new(child_pid(child), TRUE, memory);
	program_watch_timer(watch, watches);
	const ChildDuties duties = {look_at_programs, watch, (const ChildWatch *)(void *)watches->data, watches->len};
	child_release(child);
	if (!child_wait_all(&child, 1, &duties, error))
		return NULL;
	run->calibrating = program_watch_calibrating(watch, &run->calibrating_path);
	return g_steal_pointer(&child);
}

/* A build is not watched: it starts too many programs. */
static void run_child(const ChildSpec *spec, gboolean build, TrialRun *run)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Child) child = build ? child_run(spec, &error) : run_watched(spec, run, &error);
	if (child == NULL) {
		run->failure = g_strdup(error->message);
		run->output = g_strdup("");
		return;
	}
	const ChildResult *result = child_result(child);
	g_autofree char *trouble = child_describe_failure(result);
	run->output = g_strconcat(result->out->str, "\n", result->err->str, NULL);
	run->cpu_ns = result->user_ns + result->system_ns + result->orphan_cpu_ns;
	if (result->timed_out)
		run->failure = g_strdup_printf("did not end within %d s", (int)(spec->timeout_ms / 1000));
	else
		run->failure = trouble != NULL ? discover_failure_text(trouble, run->output) : NULL;
	run->timed_out = result->timed_out;
}

/* The limit grows with the load, so that what is proposed does not depend on how busy the machine is. */
static gint64 run_limit_ms(void)
{
	double load;
	if (getloadavg(&load, 1) != 1)
		return RUN_MS;
	return (gint64)(RUN_MS * CLAMP(load / g_get_num_processors(), 1, MAX_LOAD));
}

/* The words that start a program with more arguments; `before` (NULL = none) stand before its command. Owned by the
 * caller. */
static char **words_with(const DiscoveredProgram *program, char *const *before, char *const *more)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_auto(GStrv) command = discovered_program_command(program);
	if (before != NULL)
		g_strv_builder_addv(words, (const char **)before);
	g_strv_builder_addv(words, (const char **)command);
	if (more != NULL)
		g_strv_builder_addv(words, (const char **)more);
	return g_strv_builder_end(words);
}

static ChildSpec program_spec(const Trial *trial, char *const *argv, const char *cwd, gint64 timeout_ms)
{
	return (ChildSpec){
	        .argv = (const char *const *)argv,
	        .envp = (const char *const *)trial->place->run_environment,
	        .cwd = cwd,
	        .timeout_ms = timeout_ms,
	        .no_new_privileges = TRUE,
	        .keep_bytes = 1 << 20,
	};
}

/* Runs a program with more arguments in its folder; `before` as in words_with(). */
static void run_words(const Trial *trial, const DiscoveredProgram *program, char *const *before, char *const *more,
        gint64 timeout_ms, TrialRun *run)
{
	g_auto(GStrv) argv = words_with(program, before, more);
	g_autofree char *cwd = discover_file(trial->place, program->cwd);
	const ChildSpec spec = program_spec(trial, argv, cwd, timeout_ms);
	run_child(&spec, FALSE, run);
}

static void run_program(
        const Trial *trial, const DiscoveredProgram *program, char *const *more, gint64 timeout_ms, TrialRun *run)
{
	run_words(trial, program, NULL, more, timeout_ms, run);
}

/* Owned by the caller; NULL if the program does a fixed amount of work, as far as is known. */
static char *clock_text(
        const Trial *trial, const DiscoveredProgram *program, char *const *before, char *const *more, gint64 cpu_ns)
{
	g_auto(GStrv) argv = words_with(program, before, more);
	g_autofree char *cwd = discover_file(trial->place, program->cwd);
	const ChildSpec spec = program_spec(trial, argv, cwd, run_limit_ms());
	if (cpu_ns > MAX_CLOCK_TRIAL_NS || !trial_works_for_a_time(&spec))
		return NULL;
	return g_strdup("it works until a time is over, so that a slower program does less in a run and costs the "
	                "same: give it arguments with which it does a fixed amount of work, or let it report its work "
	                "(`work: reported`)");
}

/* Builds */

/* A proposal that is being filled. */
typedef struct {
	const Trial *trial;
	const Discovery *discovery;
	Proposal *proposal;
	GHashTable *kept;     /* DiscoveredProgram that was built */
	GHashTable *failures; /* DiscoveredProgram -> char *, why it was not */
} Trying;

static char *build_failure(const Trial *trial, const char *command)
{
	const char *argv[] = {"/bin/sh", "-c", command, NULL};
	const ChildSpec spec = {
	        .argv = argv,
	        .envp = (const char *const *)trial->place->environment,
	        .cwd = trial->place->tree,
	        .timeout_ms = BUILD_MS,
	        .no_new_privileges = TRUE,
	        .keep_bytes = 256 << 10,
	};
	g_auto(TrialRun) run = {0};
	if (command != NULL)
		run_child(&spec, TRUE, &run);
	return g_steal_pointer(&run.failure);
}

/* Builds each program by itself, since one of them fails. */
static void build_alone(const Trying *trying, const DiscoveredBuild *build)
{
	for (guint i = 0; i < build->programs->len && cancel_signal() == 0; i++) {
		DiscoveredProgram *program = g_ptr_array_index(build->programs, i);
		g_autoptr(GHashTable) one = g_hash_table_new(NULL, NULL);
		g_hash_table_add(one, program);
		g_autofree char *command = discovered_build_programs(build, one);
		say(trying->trial, "building %s alone", program->name);
		char *failure = build_failure(trying->trial, command);
		if (failure == NULL)
			g_hash_table_add(trying->kept, program);
		else
			g_hash_table_insert(trying->failures, program, failure);
	}
}

static void keep_all(const Trying *trying, const DiscoveredBuild *build)
{
	for (guint i = 0; i < build->programs->len; i++)
		g_hash_table_add(trying->kept, g_ptr_array_index(build->programs, i));
}

static void fail_all(const Trying *trying, const DiscoveredBuild *build, const char *failure)
{
	for (guint i = 0; i < build->programs->len; i++)
		g_hash_table_insert(trying->failures, g_ptr_array_index(build->programs, i), g_strdup(failure));
}

static void build_one(const Trying *trying, const DiscoveredBuild *build)
{
	say(trying->trial, "building with %s", build->system);
	g_autofree char *prepare = build->prepare != NULL ? g_strdup_printf("set -e\n%s", build->prepare) : NULL;
	g_autofree char *unprepared = build_failure(trying->trial, prepare);
	if (unprepared != NULL) {
		fail_all(trying, build, unprepared);
		return;
	}
	g_autofree char *command = discovered_build_programs(build, NULL);
	g_autofree char *failure = build_failure(trying->trial, command);
	if (failure == NULL)
		keep_all(trying, build);
	else if (build->programs->len > 1)
		build_alone(trying, build);
	else
		fail_all(trying, build, failure);
}

/* Cases of a framework */

char **trial_case_arguments(FrameworkId framework, const char *filter)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	g_autofree char *joined = NULL;
	switch (framework) {
	case FRAMEWORK_GOOGLE_BENCHMARK:
		joined = g_strconcat("--benchmark_filter=", filter != NULL ? filter : ".", NULL);
		g_strv_builder_add_many(words, joined, "--benchmark_min_time=0.01", NULL);
		break;
	case FRAMEWORK_GO:
		joined = g_strconcat("-test.bench=", filter != NULL ? filter : ".", NULL);
		g_strv_builder_add_many(words, "-test.run=^$", joined, "-test.benchtime=10ms", NULL);
		break;
	case FRAMEWORK_CATCH2:
		if (filter != NULL)
			g_strv_builder_add(words, filter);
		g_strv_builder_add_many(words, "--benchmark-samples", "2", "--benchmark-warmup-time", "1", NULL);
		break;
	case FRAMEWORK_CRITERION:
		g_strv_builder_add_many(words, "--bench", "--test", filter, NULL);
		break;
	case FRAMEWORK_LIBTEST:
		g_strv_builder_add_many(words, "--bench", filter != NULL ? "--exact" : NULL, filter, NULL);
		break;
	case FRAMEWORK_NANOBENCH:
	case FRAMEWORK_AUTO:
	case FRAMEWORK_NONE:
		break;
	}
	return g_strv_builder_end(words);
}

/* The nanoseconds of CPU time in a row of google-benchmark's table, after those by the wall, and its name, which may
 * have blanks; NaN if it is none. */
static double google_row_ns(const char *line, char **name)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(
		        &regex, g_regex_new("^(.*?)\\s+[0-9.]+ ns\\s+([0-9.]+) ns\\s+[0-9]+", G_REGEX_RAW, 0, NULL));
	g_autoptr(GMatchInfo) match = NULL;
	if (!g_regex_match(regex, line, 0, &match))
		return NAN;
	g_autofree char *ns = g_match_info_fetch(match, 2);
	*name = g_match_info_fetch(match, 1);
	return g_ascii_strtod(ns, NULL);
}

/* The cases in what a framework prints for people; NULL where it says no times, or none that are true: those of Catch2
 * are of two samples here, and criterion only tries its cases. */
static GPtrArray *printed_cases(FrameworkId framework, const char *output)
{
	if (framework == FRAMEWORK_GO)
		return go_output_parse(output, NULL);
	if (framework == FRAMEWORK_LIBTEST)
		return libtest_output_parse(output, NULL);
	if (framework != FRAMEWORK_GOOGLE_BENCHMARK)
		return NULL;
	GPtrArray *cases = framework_cases_new();
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		g_autofree char *name = NULL;
		double ns = google_row_ns(*line, &name);
		FrameworkCase *one = isnan(ns) ? NULL : framework_cases_get(cases, name);
		if (one != NULL)
			framework_case_add(one, 1, ns);
	}
	return cases;
}

/* Says that the compiler has removed the work of a case, if it did; one with work among several is enough. */
static char *removed_text(FrameworkId framework, const char *output)
{
	g_autoptr(GPtrArray) cases = printed_cases(framework, output);
	g_autofree char *text = NULL;
	for (guint i = 0; cases != NULL && i < cases->len; i++) {
		const FrameworkCase *one = g_ptr_array_index(cases, i);
		g_free(text);
		text = framework_removed_text(framework, one->name, one->ns);
		if (text == NULL)
			return NULL;
	}
	return g_steal_pointer(&text);
}

static const char *said_trouble(FrameworkId framework, const char *output)
{
	if (framework == FRAMEWORK_CATCH2 && strstr(output, "benchmark name") == NULL)
		return "the case has no BENCHMARK";
	if (framework == FRAMEWORK_GOOGLE_BENCHMARK && strstr(output, "ERROR OCCURRED") != NULL)
		return "it says that an error occurred";
	if (framework == FRAMEWORK_GO && strstr(output, "--- SKIP") != NULL)
		return "it skips itself";
	if (framework == FRAMEWORK_GO && strstr(output, "ns/op") == NULL)
		return "it prints no result";
	if (framework == FRAMEWORK_LIBTEST && strstr(output, "ns/iter") == NULL)
		return "it prints no result";
	return NULL;
}

char *trial_case_trouble(FrameworkId framework, const char *output)
{
	const char *said = said_trouble(framework, output);
	return said != NULL ? g_strdup(said) : removed_text(framework, output);
}

/* The cases that a program names; NULL if it cannot. A name that begins with "-" would be taken for an option. */
static GPtrArray *list_cases(const Trying *trying, const DiscoveredProgram *program, FrameworkId id)
{
	const Framework *row = framework(id);
	g_auto(TrialRun) run = {0};
	if (row == NULL || row->list == NULL)
		return NULL;
	run_program(trying->trial, program, (char *const *)row->list, LIST_MS, &run);
	/* Catch2 2.x ends with the number of its test cases */
	if (run.failure != NULL && id != FRAMEWORK_CATCH2)
		return NULL;
	g_autofree char *end = g_strdup(run.output);
	GPtrArray *cases = framework_cases(id, end);
	for (guint i = cases->len; i > 0; i--)
		if (*(const char *)g_ptr_array_index(cases, i - 1) == '-')
			g_ptr_array_remove_index(cases, i - 1);
	return cases;
}

static void try_case(const Trying *trying, const DiscoveredProgram *program, FrameworkId id, const char *name)
{
	g_autofree char *filter = name != NULL ? framework_filter(id, name) : NULL;
	g_auto(GStrv) arguments = trial_case_arguments(id, filter);
	g_auto(TrialRun) run = {0};
	say(trying->trial, "running %s", name != NULL ? name : program->name);
	run_program(trying->trial, program, arguments, run_limit_ms(), &run);
	g_autofree char *trouble = run.failure != NULL ? g_strdup(run.failure) : trial_case_trouble(id, run.output);
	if (run.failure == NULL && trouble != NULL && id == FRAMEWORK_CATCH2)
		return; /* one of its tests */
	ProposedBenchmark *benchmark = proposal_add(trying->proposal, program, name);
	g_free(benchmark->framework);
	benchmark->framework = g_strdup(framework_name(id));
	benchmark->filter = g_steal_pointer(&filter);
	benchmark->left_out = g_steal_pointer(&trouble);
	remark_case_time(benchmark, id, run.cpu_ns);
}

/* The part of a name before its arguments: "BM_sort/1024" -> "BM_sort". */
static gsize family_length(const char *name)
{
	return strcspn(name, "/<");
}

/* Moves at most `allowed` cases to the front: the last of each family, which has the most work in most programs, and
 * of too many families some that lie evenly among them. Returns their number. */
static guint choose_cases(GPtrArray *cases, guint allowed)
{
	g_autoptr(GPtrArray) families = g_ptr_array_new();
	if (cases->len <= allowed)
		return cases->len;
	for (guint i = 0; i < cases->len; i++) {
		const char *name = g_ptr_array_index(cases, i);
		const char *next = i + 1 < cases->len ? g_ptr_array_index(cases, i + 1) : "";
		gsize length = family_length(name);
		if (length != family_length(next) || strncmp(name, next, length) != 0)
			g_ptr_array_add(families, (gpointer)name);
	}
	guint n = MIN(families->len, allowed);
	for (guint i = 0; i < n; i++) {
		guint at;
		g_ptr_array_find(cases, g_ptr_array_index(families, i * families->len / n), &at);
		g_ptr_array_insert(cases, (int)i, g_ptr_array_steal_index(cases, at));
	}
	return n;
}

/* Names what is not tried, since there is too much. */
static void skip_cases(const Trying *trying, const DiscoveredProgram *program, const GPtrArray *cases, guint from)
{
	if (from >= cases->len)
		return;
	GString *names = g_string_new(NULL);
	for (guint i = from; i < cases->len && i < from + 20; i++)
		g_string_append_printf(names, "%s%s", i > from ? ", " : "", (const char *)g_ptr_array_index(cases, i));
	if (cases->len > from + 20)
		g_string_append_printf(names, ", and %u more", cases->len - from - 20);
	g_ptr_array_add(trying->proposal->remarks,
	        g_strdup_printf("%s: %u cases are left out, so that a check is not too long: %s", program->name,
	                cases->len - from, names->str));
	g_string_free(names, TRUE);
}

/* Says that none of the cases that were run is a benchmark, so that the program is not built either. */
static void leave_tests_out(const Trying *trying, const DiscoveredProgram *program, FrameworkId id, guint cases)
{
	char *remark = cases == 0
	                       ? g_strdup_printf("%s: its list of %s cases is empty; if it needs arguments, add it to "
	                                         "firebreak.yml with its `command`",
	                                 program->name, framework_name(id))
	                       : g_strdup_printf("%s: %u case%s of %s, and none of them measures anything",
	                                 program->name, cases, cases == 1 ? "" : "s", framework_name(id));
	g_hash_table_remove(trying->kept, program);
	g_ptr_array_add(trying->proposal->remarks, remark);
}

static void try_cases(const Trying *trying, const DiscoveredProgram *program, FrameworkId id, guint allowed)
{
	g_autoptr(GPtrArray) cases = list_cases(trying, program, id);
	if (cases == NULL) {
		try_case(trying, program, id, NULL);
		return;
	}
	/* a program of Catch2 has tests, too, which only running them tells apart */
	guint before = proposal_count(trying->proposal), had = trying->proposal->benchmarks->len, i = 0;
	guint n = id == FRAMEWORK_CATCH2 ? cases->len : choose_cases(cases, allowed);
	for (; i < n && proposal_count(trying->proposal) - before < allowed && cancel_signal() == 0; i++)
		try_case(trying, program, id, g_ptr_array_index(cases, i));
	if (trying->proposal->benchmarks->len > had)
		skip_cases(trying, program, cases, i);
	else
		leave_tests_out(trying, program, id, i);
}

/* Programs without a framework */

/* The line in which a program that exits with 0 says that something went wrong, or how it is used; NULL if there is
 * none. A number after the word "error" is a result. Owned by the caller. */
static char *said_error(const char *output)
{
	static GRegex *regex;
	if (g_once_init_enter(&regex))
		g_once_init_leave(&regex, g_regex_new("^\\W*(error|fatal)\\b(?![\\s:=~<]*[-+]?(\\.?\\d|nan|inf|none))(?"
		                                      "!.*[:=~<]\\s*[-+]?\\.?\\d).*$",
		                                  G_REGEX_MULTILINE | G_REGEX_CASELESS | G_REGEX_RAW, 0, NULL));
	g_auto(Complaint) complaint = complaint_of(output);
	g_autoptr(GMatchInfo) match = NULL;
	if (complaint.kind != COMPLAINT_NONE)
		return g_steal_pointer(&complaint.line);
	return g_regex_match(regex, output, 0, &match) ? g_match_info_fetch(match, 0) : NULL;
}

/* Says that a program is started which calibrates itself, if one is; NULL if not. Owned by the caller. */
static char *calibrating_text(const Trial *trial, const TrialRun *run)
{
	const char *tree = trial->place->tree;
	if (run->calibrating_path == NULL)
		return NULL;
	gboolean in_tree = g_str_has_prefix(run->calibrating_path, tree);
	const char *path = in_tree ? run->calibrating_path + strlen(tree) : run->calibrating_path;
	return g_strdup_printf("it starts %s, which is written with %s and calibrates itself; let `command` name that "
	                       "program, with `framework: %s`",
	        in_tree && *path == '/' ? path + 1 : path, framework_name(run->calibrating),
	        framework_name(run->calibrating));
}

/* Runs a plain program; what it says of an error counts as a failure, too, and so does a program that calibrates
 * itself. */
static void run_plain(const Trying *trying, const DiscoveredProgram *program, char *const *words_before,
        char *const *more, TrialRun *run)
{
	gint64 limit_ms = run_limit_ms();
	run_words(trying->trial, program, words_before, more, limit_ms, run);
	if (run->timed_out) {
		g_free(run->failure);
		run->failure =
		        g_strdup_printf("it did not end within %d s: name arguments with which a run takes 0.5 to 1 s, "
		                        "or a program that is no server",
		                (int)(limit_ms / 1000));
	}
	g_autofree char *said = run->failure == NULL ? said_error(run->output) : NULL;
	if (said != NULL)
		run->failure = g_strdup_printf("it exits with 0, but says: %s", said);
	if (run->failure == NULL)
		run->failure = calibrating_text(trying->trial, run);
}

/* The number with one digit that counts, so that a second look comes to the same in most cases. */
static guint64 round_number(double number)
{
	guint64 unit = 1;
	while (number / (double)unit >= 10)
		unit *= 10;
	return (guint64)(number / (double)unit + .5) * unit;
}

/* The work of a run is set by a number among the words before or after its command. */
typedef struct {
	char *const *before, *const *after; /* NULL = none */
	gboolean demands_effect;            /* the work of 1 must make a run short, or it is not set by that */
} Knob;

/* Runs with more and more work until a run takes half a second. The work that does, or 0. */
static guint64 find_work(const Trying *trying, const DiscoveredProgram *program, const Knob *knob, gint64 *cpu_ns)
{
	for (guint64 work = 1; work <= MAX_WORK && cancel_signal() == 0;) {
		g_auto(TrialRun) run = {0};
		g_auto(GStrv) before = knob->before != NULL ? usage_fill(knob->before, work) : NULL;
		g_auto(GStrv) after = knob->after != NULL ? usage_fill(knob->after, work) : NULL;
		run_plain(trying, program, before, after, &run);
		if (run.failure != NULL || (knob->demands_effect && work == 1 && run.cpu_ns >= ENOUGH_NS))
			return 0;
		*cpu_ns = run.cpu_ns;
		if (run.cpu_ns >= ENOUGH_NS || !(usage_has_knob(knob->before) || usage_has_knob(knob->after)))
			return work;
		double factor = run.cpu_ns > ENOUGH_NS / 20 ? (double)AIM_NS / (double)run.cpu_ns : 10;
		work = MAX(round_number((double)work * factor), work + 1);
	}
	return 0;
}

/* Arguments by what the program says of its use, and the time with them; NULL if that leads nowhere. */
static char **guess_arguments(
        const Trying *trying, const DiscoveredProgram *program, const char *output, gint64 *cpu_ns)
{
	g_auto(GStrv) words = usage_words(output);
	g_autofree char *data = words != NULL ? discover_data_file(trying->trial->place) : NULL;
	g_autofree char *seen = data != NULL ? discovery_seen_from(program->cwd, data) : NULL;
	g_auto(GStrv) arguments = words != NULL ? usage_arguments(words, seen) : NULL;
	if (arguments == NULL)
		return NULL;
	say(trying->trial, "running %s with arguments that its usage asks for", program->name);
	guint64 work = find_work(trying, program, &(Knob){.after = arguments}, cpu_ns);
	return work > 0 ? usage_fill(arguments, work) : NULL;
}

static void surround_command(ProposedBenchmark *benchmark, char *const *before, char *const *after)
{
	g_autoptr(GStrvBuilder) words = g_strv_builder_new();
	if (before != NULL)
		g_strv_builder_addv(words, (const char **)before);
	g_strv_builder_addv(words, (const char **)benchmark->command);
	if (after != NULL)
		g_strv_builder_addv(words, (const char **)after);
	g_strfreev(benchmark->command);
	benchmark->command = g_strv_builder_end(words);
}

/* Makes a long run short by the variable of the environment that the program names for that. FALSE if there is none,
 * or if it does not have that effect; then nothing is changed. */
static gboolean shorten(
        const Trying *trying, const DiscoveredProgram *program, const TrialRun *run, ProposedBenchmark *benchmark)
{
	g_autofree char *path = discover_file(trying->trial->place, program->program);
	g_autofree char *variable = work_variable_of_file(path);
	if (variable == NULL)
		return FALSE;
	g_autofree char *word = g_strconcat(variable, "=" USAGE_KNOB, NULL);
	char *const words[] = {(char *)"env", word, NULL};
	gint64 cpu_ns = 0;
	say(trying->trial, "running %s with %s", program->name, variable);
	guint64 work = find_work(trying, program, &(Knob){.before = words, .demands_effect = TRUE}, &cpu_ns);
	if (work == 0 || cpu_ns >= run->cpu_ns)
		return FALSE;
	g_auto(GStrv) before = usage_fill(words, work);
	surround_command(benchmark, before, NULL);
	g_autofree char *usual = number_duration((double)run->cpu_ns / 1e9);
	benchmark->comment = g_strdup_printf("%s sets how much a run does, which takes %s%s without it", variable,
	        run->timed_out ? "more than " : "", usual);
	benchmark->left_out = clock_text(trying->trial, program, before, NULL, cpu_ns);
	if (benchmark->left_out == NULL)
		remark_time(benchmark, cpu_ns, trying->trial->can_count);
	return TRUE;
}

static void try_plain(const Trying *trying, const DiscoveredProgram *program)
{
	g_auto(TrialRun) run = {0};
	say(trying->trial, "running %s", program->name);
	run_plain(trying, program, NULL, NULL, &run);
	ProposedBenchmark *benchmark = proposal_add(trying->proposal, program, NULL);
	if ((run.failure == NULL || run.timed_out) && remark_is_long(run.cpu_ns) &&
	        shorten(trying, program, &run, benchmark))
		return;
	g_auto(GStrv) guessed = run.failure != NULL && program->arguments == NULL
	                                ? guess_arguments(trying, program, run.output, &run.cpu_ns)
	                                : NULL;
	g_autofree char *usage = usage_line(run.output);
	if (guessed != NULL) {
		surround_command(benchmark, NULL, guessed);
		benchmark->comment =
		        g_strdup_printf("the arguments are guessed, look whether they make sense: %s", usage);
	} else if (run.failure != NULL && program->arguments == NULL && !run.timed_out &&
	           run.calibrating == FRAMEWORK_NONE && usage == NULL) {
		benchmark->left_out = g_strdup_printf("%s (run without arguments)", run.failure);
	} else {
		benchmark->left_out = g_steal_pointer(&run.failure);
	}
	if (benchmark->left_out == NULL)
		benchmark->left_out = clock_text(trying->trial, program, NULL, guessed, run.cpu_ns);
	if (benchmark->left_out == NULL)
		remark_time(benchmark, run.cpu_ns, trying->trial->can_count);
}

/* Each program */

static FrameworkId framework_named(const char *name)
{
	for (int id = FRAMEWORK_NONE + 1; name != NULL && config_frameworks[id] != NULL; id++)
		if (g_str_equal(config_frameworks[id], name))
			return (FrameworkId)id;
	return FRAMEWORK_NONE;
}

/* The framework of what was built; what its sources said counts where the program does not show it. A test program of
 * Go or Rust that is started by hand is none. */
static FrameworkId framework_of(const Trying *trying, const DiscoveredProgram *program)
{
	g_autofree char *path = discover_file(trying->trial->place, program->program);
	FrameworkId id = framework_of_file(path);
	return id != FRAMEWORK_NONE ? id : framework_named(program->framework);
}

static void leave_out(const Trying *trying, const DiscoveredProgram *program, const char *why)
{
	ProposedBenchmark *benchmark = proposal_add(trying->proposal, program, NULL);
	benchmark->left_out = g_strdup(why);
}

static void try_program(const Trying *trying, const DiscoveredProgram *program, guint allowed)
{
	const char *failure = g_hash_table_lookup(trying->failures, program);
	if (failure != NULL) {
		g_autofree char *why = g_strdup_printf("its build %s", failure);
		leave_out(trying, program, why);
		return;
	}
	if (!discover_has(trying->trial->place, program->program)) {
		g_hash_table_remove(trying->kept, program);
		leave_out(trying, program, "the build does not make it");
		return;
	}
	FrameworkId id = framework_of(trying, program);
	if (id != FRAMEWORK_NONE)
		try_cases(trying, program, id, allowed);
	else
		try_plain(trying, program);
}

static guint count_programs(const Discovery *discovery)
{
	guint n = 0;
	for (guint i = 0; i < discovery->builds->len; i++)
		n += ((const DiscoveredBuild *)g_ptr_array_index(discovery->builds, i))->programs->len;
	return n;
}

/* Programs that are to come share evenly in the rest of the bound. */
static void try_programs(const Trying *trying)
{
	guint to_come = count_programs(trying->discovery);
	for (guint i = 0; i < trying->discovery->builds->len; i++) {
		const DiscoveredBuild *build = g_ptr_array_index(trying->discovery->builds, i);
		for (guint j = 0; j < build->programs->len && cancel_signal() == 0; j++, to_come--) {
			const DiscoveredProgram *program = g_ptr_array_index(build->programs, j);
			guint used = proposal_count(trying->proposal);
			guint left = TRIAL_MAX_BENCHMARKS > used ? TRIAL_MAX_BENCHMARKS - used : 0;
			if (left == 0)
				leave_out(trying, program, "there are enough, so that a check is not too long");
			else
				try_program(trying, program, MAX(left / to_come, 1));
		}
	}
}

static char *system_names(const Discovery *discovery)
{
	GString *names = g_string_new(NULL);
	for (guint i = 0; i < discovery->builds->len; i++) {
		const DiscoveredBuild *build = g_ptr_array_index(discovery->builds, i);
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", build->system);
		if (!g_str_equal(build->folder, "."))
			g_string_append_printf(names, " in %s", build->folder);
	}
	return g_string_free(names, FALSE);
}

static Proposal *start_proposal(const Discovery *discovery)
{
	Proposal *proposal = proposal_new();
	proposal->systems = discovery->builds->len > 0 ? system_names(discovery) : NULL;
	proposal->found = proposal_fingerprint(discovery);
	for (guint i = 0; i < discovery->remarks->len; i++)
		g_ptr_array_add(proposal->remarks, g_strdup(g_ptr_array_index(discovery->remarks, i)));
	for (guint i = 0; i < discovery->looked->len; i++)
		g_ptr_array_add(proposal->looked, g_strdup(g_ptr_array_index(discovery->looked, i)));
	return proposal;
}

Proposal *trial_skip(const Discovery *discovery)
{
	Proposal *proposal = start_proposal(discovery);
	proposal->build = discovery_build_command(discovery, NULL);
	for (guint i = 0; i < discovery->builds->len; i++) {
		const DiscoveredBuild *build = g_ptr_array_index(discovery->builds, i);
		for (guint j = 0; j < build->programs->len; j++)
			proposal_add(proposal, g_ptr_array_index(build->programs, j), NULL);
	}
	if (proposal->build == NULL)
		proposal->build = discovery_bare_command(discovery);
	return proposal;
}

Proposal *trial_run(const Trial *trial, const Discovery *discovery, GError **error)
{
	if (count_programs(discovery) == 0)
		return trial_skip(discovery);
	g_autoptr(Proposal) proposal = start_proposal(discovery);
	g_autoptr(GHashTable) kept = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) failures = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	const Trying trying = {trial, discovery, proposal, kept, failures};
	for (guint i = 0; i < discovery->builds->len && cancel_signal() == 0; i++)
		build_one(&trying, g_ptr_array_index(discovery->builds, i));
	try_programs(&trying);
	remark_long_runs(proposal);
	for (guint i = 0; i < discovery->builds->len; i++)
		remark_unoptimised(trial->place, g_ptr_array_index(discovery->builds, i), proposal->remarks);
	/* where nothing could be built, all is written as it was tried, to be mended */
	proposal->build = discovery_build_command(discovery, g_hash_table_size(kept) > 0 ? kept : NULL);
	return cancel_check(error) ? g_steal_pointer(&proposal) : NULL;
}
