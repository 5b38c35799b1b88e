/* SPDX-License-Identifier: Apache-2.0 */
/* Histories out of the store. */
#include "gate/context/historydata.h"

#include "core/error.h"
#include "tests/core/git/gitfixture.h"
#include "tests/gate/fixture/gatefixture.h"

#define TWO                                                                                                            \
	"version: 1\nbenchmarks:\n- {name: work, command: ./work, engines: [callgrind]}\n"                             \
	"- {name: other, command: ./other, engines: [callgrind]}\n"

/* Base and two commits after it, each with both benchmarks stored. */
static void store_three(GateFixture *f)
{
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f, TWO, COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_check(f);
	gate_fixture_head(f, SLOWER);
	gate_fixture_check(f);
}

typedef struct {
	BaselineStore *store;
	char *head;
	FindingList *findings;
	GPtrArray *histories;
	guint n_commits;
	GError *error;
} Reading;

static Reading read_all(const GateFixture *f, const char *benchmark, guint most)
{
	Reading reading = {
	        .store = baseline_store_open(f->repo, NULL, NULL),
	        .head = git(f->repo, "rev-parse main"),
	        .findings = finding_list_new(),
	};
	HistoryRequest request = {.trend = {.head = reading.head, .most = most}, .benchmark = benchmark};
	reading.histories =
	        history_read_store(reading.store, &request, reading.findings, &reading.n_commits, &reading.error);
	return reading;
}

static void reading_clear(Reading *reading)
{
	baseline_store_free(reading->store);
	g_free(reading->head);
	finding_list_free(reading->findings);
	g_clear_pointer(&reading->histories, g_ptr_array_unref);
	g_clear_error(&reading->error);
}

/* The history of the instructions of a benchmark, or NULL. */
static const MetricHistory *instructions_of(const Reading *reading, const char *benchmark)
{
	for (guint i = 0; i < reading->histories->len; i++) {
		const MetricHistory *history = reading->histories->pdata[i];
		if (g_str_equal(history->benchmark, benchmark) && g_str_equal(history->metric, "instructions"))
			return history;
	}
	return NULL;
}

static void a_history_has_a_point_for_each_commit_oldest_first(void **state)
{
	GateFixture *f = *state;
	store_three(f);
	Reading reading = read_all(f, "work", 10);
	const MetricHistory *history = instructions_of(&reading, "work");
	assert_int_equal(reading.n_commits, 3);
	assert_int_equal(history->points->len, 3);
	assert_string_equal(g_array_index(history->points, HistoryPoint, 0).subject, "base");
	assert_string_equal(g_array_index(history->points, HistoryPoint, 2).sha, reading.head);
	assert_true(g_array_index(history->points, HistoryPoint, 2).median == 116000);
	reading_clear(&reading);
}

static void only_as_many_commits_are_read_as_are_wanted(void **state)
{
	GateFixture *f = *state;
	store_three(f);
	Reading reading = read_all(f, NULL, 2);
	assert_int_equal(reading.n_commits, 2);
	assert_int_equal(instructions_of(&reading, "work")->points->len, 2);
	reading_clear(&reading);
}

static void one_benchmark_alone_is_read_where_that_is_asked_for(void **state)
{
	GateFixture *f = *state;
	store_three(f);
	Reading one = read_all(f, "other", 10), all = read_all(f, NULL, 10);
	assert_non_null(instructions_of(&one, "other"));
	assert_null(instructions_of(&one, "work"));
	assert_non_null(instructions_of(&all, "work"));
	reading_clear(&one);
	reading_clear(&all);
}

static void without_baselines_there_is_no_history(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_import(f);
	Reading reading = read_all(f, NULL, 10);
	assert_int_equal(reading.histories->len, 0);
	assert_int_equal(reading.n_commits, 0);
	reading_clear(&reading);
}

static void a_head_that_is_not_in_the_clone_is_an_error(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, COUNTED, COSTS);
	gate_fixture_import(f);
	g_autoptr(BaselineStore) store = baseline_store_open(f->repo, NULL, NULL);
	g_autoptr(FindingList) findings = finding_list_new();
	g_autoptr(GError) error = NULL;
	HistoryRequest request = {.trend = {.head = "1111111111111111111111111111111111111111", .most = 9}};
	assert_null(history_read_store(store, &request, findings, NULL, &error));
	assert_true(g_error_matches(error, FIREBREAK_ERROR, FIREBREAK_ERROR_USAGE));
}

static void names_are_there_once_and_sorted(void **state)
{
	GateFixture *f = *state;
	store_three(f);
	g_autoptr(BaselineStore) store = baseline_store_open(f->repo, NULL, NULL);
	g_autofree char *head = git(f->repo, "rev-parse main");
	const TrendRequest trend = {.head = head, .most = 10};
	g_autoptr(GPtrArray) names = history_read_names(store, &trend, NULL);
	assert_int_equal(names->len, 2);
	assert_string_equal(names->pdata[0], "other");
	assert_string_equal(names->pdata[1], "work");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(a_history_has_a_point_for_each_commit_oldest_first),
	        GATE_TEST(only_as_many_commits_are_read_as_are_wanted),
	        GATE_TEST(one_benchmark_alone_is_read_where_that_is_asked_for),
	        GATE_TEST(without_baselines_there_is_no_history),
	        GATE_TEST(a_head_that_is_not_in_the_clone_is_an_error),
	        GATE_TEST(names_are_there_once_and_sorted),
	};
	return run_gate_tests(tests);
}
