/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trialremarks.h"

#include "model/numbers/number.h"
#include "profile/symbols/symbolchild.h"

#include <math.h>
#include <string.h>

#define NS_PER_S 1e9
#define SHORT_RUN_S .2
#define LONG_RUN_S 2
/* From here on the default number of rounds makes a check of one benchmark last longer than most builds. */
#define VERY_LONG_RUN_S 5
/* The most that a check takes for all cases and long runs, if there is no regression to confirm. */
#define LONG_CHECK_S 360
/* The time that the cases of a run take, and the rounds of most checks (compare/statistics/looks.h). */
#define CASE_AIM_S .7
#define CASE_ROUNDS 12
#define DEFAULT_TIMEOUT_S 60
/* A run may last so many times its CPU time: two runs share a CPU in a round, and others use the machine, too. */
#define TIMEOUT_FACTOR 16
/* The most that libtest calibrates for in a trial, and not in a check: on a busy machine its median does not settle, so
 * it takes samples of .3, .6, 1.2 and 2.4 s, the last of which it begins before 3 s are over. */
#define LIBTEST_CALIBRATION_S 5

/* Numbers of rounds without `rounds`. */
#define MIN_ROUNDS 8
#define MAX_ROUNDS 20
/* Metrics of a benchmark that gate by default, at most; and the level of a false alarm, of which each of them has a
 * part (compare/statistics/looks.h). */
#define GATES_EACH 4
#define ALARM_LEVEL .01

static void add_comment(ProposedBenchmark *benchmark, const char *text)
{
	char *both = benchmark->comment != NULL ? g_strconcat(benchmark->comment, "; ", text, NULL) : g_strdup(text);
	g_free(benchmark->comment);
	benchmark->comment = both;
}

/* Time */

gboolean remark_is_long(gint64 cpu_ns)
{
	return (double)cpu_ns / NS_PER_S > LONG_RUN_S;
}

void remark_time(ProposedBenchmark *benchmark, gint64 cpu_ns, gboolean can_count)
{
	double run_s = (double)cpu_ns / NS_PER_S;
	if (run_s < SHORT_RUN_S && can_count) {
		benchmark->counted = TRUE;
		add_comment(benchmark, "a run is too short to be timed well, so instructions are counted; to time it "
		                       "instead, give it 0.5 to 1 s of work");
	} else if (run_s < SHORT_RUN_S) {
		add_comment(benchmark, "a run is too short to be timed well: let it do more, for 0.5 to 1 s, or "
		                       "install valgrind and count with `engines: [callgrind]`");
	} else if (remark_is_long(cpu_ns)) {
		benchmark->run_s = run_s;
		if (run_s * TIMEOUT_FACTOR > DEFAULT_TIMEOUT_S)
			benchmark->timeout_s = ((gint64)ceil(run_s) * TIMEOUT_FACTOR + 59) / 60 * 60;
	}
}

void remark_case_time(ProposedBenchmark *benchmark, FrameworkId id, gint64 start_ns)
{
	double start_s = (double)start_ns / NS_PER_S;
	/* nearly all that Catch2 does in that run is looking at its clock, which it does not in a check */
	if (id == FRAMEWORK_CATCH2)
		start_s = 0;
	else if (id == FRAMEWORK_LIBTEST)
		start_s = MAX(start_s - LIBTEST_CALIBRATION_S, 0);
	benchmark->case_s = start_s + CASE_AIM_S;
}

/* As many rounds as a change needs to show at all, and one that may go the other way. */
static guint min_rounds(guint benchmarks)
{
	return MAX(MIN_ROUNDS, (guint)ceil(log2(GATES_EACH * benchmarks / ALARM_LEVEL))) + 1;
}

/* The time of that many rounds: each runs both sides, and one round comes first to warm up. */
static double check_s(double run_s, guint rounds)
{
	return 2 * (rounds + 1) * run_s;
}

/* Owned by the caller. */
static char *check_time(double run_s, guint rounds)
{
	return number_duration(check_s(run_s, rounds));
}

/* The remedy for a long run, with what to do besides. Owned by the caller. */
static char *shorter_remedy(const ProposedBenchmark *benchmark, const char *besides)
{
	const char *line = benchmark->work_line;
	return g_strdup_printf("where it can be told to do less, let it run for 0.5 to 1 s%s%s%s", besides,
	        line != NULL
	                ? "; this line may say how much it does, so let it read the number from a variable such as "
	                  "BENCH_ITERS: "
	                : "",
	        line != NULL ? line : "");
}

static void remark_long_run(ProposedBenchmark *benchmark, guint rounds)
{
	g_autofree char *run = number_duration(benchmark->run_s), *least = check_time(benchmark->run_s, MIN_ROUNDS),
	                *most = check_time(benchmark->run_s, MAX_ROUNDS), *fixed = check_time(benchmark->run_s, rounds),
	                *text = NULL;
	gboolean very_long = benchmark->run_s > VERY_LONG_RUN_S;
	g_autofree char *remedy = shorter_remedy(benchmark, very_long ? " and leave out `rounds`" : "");
	if (very_long) {
		benchmark->rounds = rounds;
		text = g_strdup_printf("a run takes %s, so a check takes %s for it (%u rounds of two runs, and one to "
		                       "warm up; twice that to confirm a regression): %s",
		        run, fixed, rounds, remedy);
	} else {
		text = g_strdup_printf("a run takes %s, so a check takes %s to %s for it (%d to %d rounds of two runs, "
		                       "and one to warm up): %s",
		        run, least, most, MIN_ROUNDS, MAX_ROUNDS, remedy);
	}
	add_comment(benchmark, text);
}

static double part_s(const ProposedBenchmark *benchmark, guint rounds)
{
	return benchmark->case_s > 0 ? check_s(benchmark->case_s, CASE_ROUNDS) : check_s(benchmark->run_s, rounds);
}

/* A check of all that are proposed. Shorter runs of plain programs count as nothing. */
static double all_check_s(const Proposal *proposal)
{
	guint rounds = min_rounds(MAX(proposal_count(proposal), 1));
	double all_s = 0;
	for (guint i = 0; i < proposal->benchmarks->len; i++) {
		const ProposedBenchmark *benchmark = g_ptr_array_index(proposal->benchmarks, i);
		all_s += benchmark->left_out == NULL ? part_s(benchmark, rounds) : 0;
	}
	return all_s;
}

/* The last of them, if several take as long; NULL if all are left out. */
static ProposedBenchmark *longest(const Proposal *proposal, guint rounds)
{
	ProposedBenchmark *found = NULL;
	for (guint i = 0; i < proposal->benchmarks->len; i++) {
		ProposedBenchmark *benchmark = g_ptr_array_index(proposal->benchmarks, i);
		if (benchmark->left_out == NULL &&
		        (found == NULL || part_s(benchmark, rounds) >= .9 * part_s(found, rounds)))
			found = benchmark;
	}
	return found;
}

static void leave_longest_out(const Proposal *proposal)
{
	while (proposal_count(proposal) > 1 && all_check_s(proposal) > LONG_CHECK_S) {
		guint rounds = min_rounds(proposal_count(proposal));
		ProposedBenchmark *benchmark = longest(proposal, rounds);
		gboolean is_case = benchmark->case_s > 0;
		g_autofree char *run = number_duration(is_case ? benchmark->case_s : benchmark->run_s),
		                *check = number_duration(part_s(benchmark, rounds)),
		                *remedy = shorter_remedy(benchmark, "");
		benchmark->left_out = g_strdup_printf("a run takes %s, so a check would take %s for it%s%s", run, check,
		        is_case ? ", and more than some minutes for all" : ": ", is_case ? "" : remedy);
	}
}

void remark_long_runs(Proposal *proposal)
{
	leave_longest_out(proposal);
	guint rounds = min_rounds(MAX(proposal_count(proposal), 1));
	for (guint i = 0; i < proposal->benchmarks->len; i++) {
		ProposedBenchmark *benchmark = g_ptr_array_index(proposal->benchmarks, i);
		if (benchmark->run_s > 0 && benchmark->left_out == NULL)
			remark_long_run(benchmark, rounds);
	}
}

/* Builds */

/* TRUE if all units of the program say that they were not optimised; *plus_plus tells whether they are of C++. */
static gboolean is_unoptimised(const DiscoverPlace *place, const DiscoveredProgram *program, gboolean *plus_plus)
{
	BinaryInfo info = {0};
	g_autofree char *path = discover_file(place, program->program);
	g_autoptr(SymbolChild) reader = symbol_child_new();
	if (!discover_has(place, program->program) || !symbol_child_binary_info(reader, path, &info, NULL))
		return FALSE;
	gboolean unoptimised = info.has_debug && info.n_units > 0 && info.n_units_unoptimised == info.n_units;
	*plus_plus = info.producers != NULL && strstr(info.producers, "C++") != NULL;
	binary_info_clear(&info);
	return unoptimised;
}

/* Owned by the caller. */
static char *optimise_remedy(const DiscoveredBuild *build, gboolean plus_plus)
{
	const char *variable = plus_plus ? "CXXFLAGS" : "CFLAGS";
	if (g_str_equal(build->system, "Make"))
		return g_strdup_printf("add -O2 to %s in the Makefile, or write `make %s=-O2` in the build command, "
		                       "which takes the place of %s of the Makefile",
		        variable, variable, variable);
	return g_strdup_printf(
	        "let the build command choose the build type that you release, or add -O2 to %s", variable);
}

void remark_unoptimised(const DiscoverPlace *place, const DiscoveredBuild *build, GPtrArray *remarks)
{
	g_autoptr(GString) names = g_string_new(NULL);
	gboolean plus_plus = FALSE;
	for (guint i = 0; i < build->programs->len; i++) {
		const DiscoveredProgram *program = g_ptr_array_index(build->programs, i);
		if (is_unoptimised(place, program, &plus_plus))
			g_string_append_printf(names, "%s%s", names->len > 0 ? ", " : "", program->name);
	}
	if (names->len == 0)
		return;
	g_autofree char *remedy = optimise_remedy(build, plus_plus);
	g_ptr_array_add(remarks, g_strdup_printf("%s in %s builds without optimisation (-O0): %s; what is slow in such "
	                                         "a program says little about the one you ship: %s",
	                                 build->system, build->folder, names->str, remedy));
}
