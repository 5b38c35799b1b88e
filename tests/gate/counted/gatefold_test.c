/* SPDX-License-Identifier: Apache-2.0 */
/* From dumps to measurements: the metrics of a run, what is refused, and which files a run was made with. */
#include "gate/counted/gatefold.h"

#include "tests/gate/fixture/gatefixture.h"

#include <math.h>

#define WITH(more) "version: 1\nbenchmarks: [{name: work, command: ./work, engines: [callgrind]" more "}]\n"
/* A dump of one function in a file of the tree of a run. Owned by the caller. */
static char *dump_of(const RunRequest *request, const char *events, const char *costs)
{
	return g_strdup_printf("# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd:  ./work\n"
	                       "part: 1\npositions: instr line\nevents: %s\nob=(1) %s/work.costs\nfl=(1) work.c\n"
	                       "fn=(1) main\n0x1000 10 %s\ntotals: %s\n",
	        events, request->side->tree_dir, costs, costs);
}

static char *dump_counts(const RunRequest *request)
{
	return dump_of(request, "Ir sysCount", "1000 7");
}

static char *dump_cache(const RunRequest *request)
{
	return dump_of(request, "Ir sysCount I1mr D1mr D1mw ILmr DLmr DLmw Bcm Bim", "1000 7 1 2 3 4 5 6 8 9");
}

/* Head alone, with these dumps. */
static const Measurement *measure(GateFixture *f, const char *config, char *(*dump)(const RunRequest *request))
{
	fake_host.dump = dump;
	gate_fixture_base(f, config, COSTS);
	assert_ends(gate_fixture_measure(f), 0, "");
	return only_benchmark(f->result)->head;
}

/* The value of a metric in the first run, NaN if it is not there. */
static double value_of(const Measurement *measurement, const char *metric)
{
	return metric_value(measurement_metric(measurement, &engine_callgrind, metric), 0);
}

static void columns_become_metrics(void **state)
{
	const Measurement *head = measure(*state, COUNTED, dump_counts);
	assert_true(value_of(head, "instructions") == 1000);
	assert_true(value_of(head, "system-calls") == 7);
	assert_true(value_of(head, "allocations") == 0);
}

static void caches_are_there_only_where_they_are_asked_for(void **state)
{
	assert_true(isnan(value_of(measure(*state, COUNTED, dump_cache), "estimated-cycles")));
}

/* Ten cycles for a miss of the first level or a branch, a hundred for one of the last. */
static void misses_are_added_up_and_weighed(void **state)
{
	const Measurement *head = measure(*state, WITH(", cache: true"), dump_cache);
	assert_true(value_of(head, "l1-misses") == 1 + 2 + 3);
	assert_true(value_of(head, "ll-misses") == 4 + 5 + 6);
	assert_true(value_of(head, "branch-misses") == 8 + 9);
	assert_true(value_of(head, "estimated-cycles") == 1000 + 10 * 6 + 100 * 15 + 10 * 17);
}

static char *heap_dump(const RunRequest *request)
{
	(void)request;
	return g_strdup("{\"dhatFileVersion\":2\n,\"mode\":\"heap\",\"verb\":\"Allocated\"\n,\"cmd\":\"./work\"\n"
	                ",\"pid\":7\n,\"pps\":\n [{\"tb\":500,\"tbk\":2,\"tl\":1\n  ,\"gb\":300,\"gbk\":1,\"fs\":[1]}\n"
	                " ]\n,\"ftbl\":\n [\"[root]\"\n ,\"0x1092: main (work.c:12)\"\n ]\n}\n");
}

static void heap_memory_comes_from_a_run_of_its_own(void **state)
{
	fake_host.heap_dump = heap_dump;
	const Measurement *head = measure(*state, WITH(", heap: true"), dump_counts);
	assert_true(value_of(head, "allocated-bytes") == 500);
	assert_true(value_of(head, "peak-heap") == 300);
}

static void heap_memory_is_not_read_where_it_is_not_asked_for(void **state)
{
	fake_host.heap_dump = heap_dump;
	assert_true(isnan(value_of(measure(*state, COUNTED, dump_counts), "peak-heap")));
}

/* --- what is refused --- */

static const CheckResult *refused(GateFixture *f, const char *config, char *(*dump)(const RunRequest *request))
{
	fake_host.dump = dump;
	gate_fixture_base(f, config, COSTS);
	gate_fixture_head(f, COSTS "\n");
	return gate_fixture_check(f);
}

static char *dump_cut_off(const RunRequest *request)
{
	char *text = dump_counts(request);
	*strstr(text, "totals:") = '\0';
	return text;
}

static void a_dump_that_is_cut_off_is_an_invalid_measurement(void **state)
{
	GateFixture *f = *state;
	assert_ends(refused(f, COUNTED, dump_cut_off), 4, "measurement_invalid");
	assert_int_equal(stored_baselines(f, "main"), 0);
}

static void a_heap_that_was_not_dumped_is_an_invalid_measurement(void **state)
{
	assert_ends(refused(*state, WITH(", heap: true"), dump_counts), 4, "measurement_invalid");
}

/* --- the files of a run --- */

static char *library;

static char *dump_library(const RunRequest *request)
{
	char *own = dump_counts(request);
	*strstr(own, "totals:") = '\0';
	char *text = g_strdup_printf("%sob=(2) %s\nfn=(2) help\n0x9000 1 5 0\ntotals: 1005 7\n", own, library);
	g_free(own);
	return text;
}

static void files_outside_of_the_tree_are_libraries(void **state)
{
	GateFixture *f = *state;
	g_autofree char *path = g_build_filename(f->root, "libhelp.so", NULL);
	assert_true(g_file_set_contents(path, "as it is", -1, NULL));
	library = path;
	const Measurement *head = measure(f, COUNTED, dump_library);
	assert_says(environment_get(head->environment, "libraries"), "libhelp.so");
	assert_null(strstr(environment_get(head->environment, "libraries"), "work.costs"));
}

/* A path that the build wrote down leads to the build, of which the side is a copy: an own file all the same. */
static char *dump_of_build(const RunRequest *request)
{
	const Side build = {.tree_dir = request->side->build_dir};
	return dump_counts(&(const RunRequest){.side = &build});
}

static void files_of_the_build_are_no_libraries(void **state)
{
	const Measurement *head = measure(*state, COUNTED, dump_of_build);
	assert_string_equal(environment_get(head->environment, "libraries"), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(columns_become_metrics),
	        GATE_TEST(caches_are_there_only_where_they_are_asked_for),
	        GATE_TEST(misses_are_added_up_and_weighed),
	        GATE_TEST(heap_memory_comes_from_a_run_of_its_own),
	        GATE_TEST(heap_memory_is_not_read_where_it_is_not_asked_for),
	        GATE_TEST(a_dump_that_is_cut_off_is_an_invalid_measurement),
	        GATE_TEST(a_heap_that_was_not_dumped_is_an_invalid_measurement),
	        GATE_TEST(files_outside_of_the_tree_are_libraries),
	        GATE_TEST(files_of_the_build_are_no_libraries),
	};
	return run_gate_tests(tests);
}
