/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that what a shard's report.json says is in the joined one, too, key by key of the published schema: also a key
 * that is added to it one day. */
#include "compare/merge.h"
#include "compare/outcome.h"
#include "core/jsontext.h"
#include "report/json/reportjson.h"
#include "tests/report/annotatedsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Reports of shards and of what they are joined to. */
typedef struct {
	json_t *schema; /* of report.json: its properties */
	json_t *shards[2], *joined;
} Reports;

static json_t *load(const char *text, gsize length)
{
	g_autoptr(GError) error = NULL;
	json_t *root = json_load_text(text, length, "report.json", &error);
	if (root == NULL)
		fail_msg("%s", error->message);
	return root;
}

static int set_up(void **state)
{
	Reports *r = g_new0(Reports, 1);
	g_autofree char *text = NULL;
	gsize length = 0;
	assert_true(g_file_get_contents(SOURCE_DIR "/docs/schema/report-1.json", &text, &length, NULL));
	json_auto_t *schema = load(text, length);
	r->schema = json_incref(json_object_get(schema, "properties"));
	assert_true(json_object_size(r->schema) > 10);
	*state = r;
	return 0;
}

static int tear_down(void **state)
{
	Reports *r = *state;
	json_decref(r->schema);
	json_decref(r->shards[0]);
	json_decref(r->shards[1]);
	json_decref(r->joined);
	g_free(r);
	return 0;
}

/* --- shards --- */

static void make_shard(CheckResult *result, guint index, guint total)
{
	static const char *const names[] = {"before", "catalog"};
	result->shards = shard_set_new(total);
	ShardPart *part = shard_set_add(result->shards, index);
	for (guint i = total == 1 ? 1 : 0; i < G_N_ELEMENTS(names); i++) {
		g_ptr_array_add(result->shards->benchmarks, g_strdup(names[i]));
		if (total == 1 || i + 1 == index)
			g_ptr_array_add(part->benchmarks, g_strdup(names[i]));
	}
	environment_set(result->environment, "compiler", METRIC_DETERMINISTIC, "gcc 12");
	part->machine = shard_machine(result->environment);
	check_result_decide(result);
}

/* Says something in every key. */
static CheckResult *talkative(guint index, guint total)
{
	CheckResult *result = sample_result();
	sample_trust(result->benchmarks->pdata[0]);
	annotate_sample(result);
	Acceptance *acceptance = acceptance_of_trailer(result->head.sha, "catalog: for now");
	acceptance->state = ACCEPTANCE_USED;
	g_ptr_array_add(result->acceptances, acceptance);
	check_result_add_reason(result, 1, "drift", "catalog", "catalog: instructions +9 %% since v1");
	check_result_add_reason(result, 9, "policy_changed", NULL, "head weakens the gate");
	finding_add(result->findings, FINDING_WARNING, "drift", "catalog", "instructions +9 %% since v1");
	finding_add(result->findings, FINDING_WARNING, "acceptance_cut", NULL, "not all commits are there");
	result->max_time_s = 60;
	make_shard(result, index, total);
	return result;
}

/* Says as little as one can that passed. */
static CheckResult *taciturn(void)
{
	CheckResult *result = check_result_new();
	g_autoptr(CheckResult) other = sample_result();
	result_side_set(&result->base, other->base.sha, "", "", "");
	result_side_set(&result->head, other->head.sha, "", "", "");
	result->environment = environment_copy(other->environment);
	g_free(result->config_source);
	result->config_source = g_strdup(other->config_source);
	ResultBenchmark *row = check_result_add_benchmark(result, "before");
	row->base = measurement_new("before", other->base.sha, "");
	row->head = measurement_new("before", other->head.sha, "");
	row->comparison = benchmark_comparison_new("before");
	g_ptr_array_add(row->comparison->metrics, sample_metric("wall", "ns", 1e9, 1, .01, VERDICT_PASS, TRUE));
	for (guint i = 0; i < SAMPLE_RUNS; i++) {
		const RunFacts run = {.round = i + 1, .attempts = 1};
		g_array_append_val(row->base->runs, run);
		g_array_append_val(row->head->runs, run);
	}
	benchmark_comparison_decide(row->comparison, VERDICT_PASS, "", g_strdup("every metric passes"));
	make_shard(result, 1, 2);
	return result;
}

/* Takes the results, writes them, and joins what is read back. */
static void join(Reports *r, CheckResult *first, CheckResult *second)
{
	CheckResult *results[] = {first, second};
	g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(MergeInput));
	g_autoptr(GError) error = NULL;
	const MergeOptions options = {0};
	for (guint i = 0; i < 2 && results[i] != NULL; i++) {
		gsize length;
		g_autofree char *text = report_json(results[i], &length);
		check_result_free(results[i]);
		r->shards[i] = load(text, length);
		results[i] = report_read(text, length, "report.json", &error);
		if (results[i] == NULL)
			fail_msg("%s", error->message);
		MergeInput input = {results[i], i == 0 ? "one" : "two"};
		g_array_append_val(inputs, input);
	}
	gsize length;
	g_autoptr(CheckResult) joined = merge_results(inputs, &options, &error);
	if (joined == NULL)
		fail_msg("%s", error->message);
	g_autofree char *text = report_json(joined, &length);
	r->joined = load(text, length);
	check_result_free(results[0]);
	check_result_free(results[1]);
}

/* --- the same --- */

static gboolean says_nothing(const json_t *value)
{
	return value == NULL || json_is_null(value) || (json_is_string(value) && json_string_length(value) == 0) ||
	       (json_is_array(value) && json_array_size(value) == 0) ||
	       (json_is_object(value) && json_object_size(value) == 0);
}

static char *shown(const json_t *value)
{
	g_autofree char *text = value != NULL ? json_dumps(value, JSON_ENCODE_ANY | JSON_INDENT(1)) : NULL;
	return g_strdup_printf("%.3000s", text != NULL ? text : "nothing");
}

/* Where two values first differ, so that a failure names what was lost. */
static void assert_kept(const char *path, const json_t *said, const json_t *kept)
{
	if (json_equal(said, kept))
		return;
	if (json_is_object(said) && json_is_object(kept)) {
		const char *key;
		json_t *value;
		json_object_foreach((json_t *)said, key, value)
		{
			g_autofree char *below = g_strconcat(path, ".", key, NULL);
			assert_kept(below, value, json_object_get(kept, key));
		}
	} else if (json_is_array(said) && json_array_size(said) == json_array_size(kept)) {
		for (gsize i = 0; i < json_array_size(said); i++) {
			g_autofree char *below = g_strdup_printf("%s[%zu]", path, i);
			assert_kept(below, json_array_get(said, i), json_array_get(kept, i));
		}
	}
	g_autofree char *a = shown(said), *b = shown(kept);
	fail_msg("%s: the shard says %s, the joined report %s", path, a, b);
}

/* The part of a joined check says how its shard ended, too. */
static json_t *without_ending(const json_t *shards)
{
	static const char *const keys[] = {"exit_code", "seed", "elapsed_s"};
	json_t *copy = json_deep_copy(shards);
	for (gsize i = 0; i < json_array_size(json_object_get(copy, "parts")); i++)
		for (guint k = 0; k < G_N_ELEMENTS(keys); k++)
			json_object_del(json_array_get(json_object_get(copy, "parts"), i), keys[k]);
	return copy;
}

static void one_shard_of_one_joins_to_what_it_says(void **state)
{
	Reports *r = *state;
	const char *key;
	json_t *described;
	join(r, talkative(1, 1), NULL);
	json_object_foreach(r->schema, key, described)
	{
		const json_t *said = json_object_get(r->shards[0], key), *kept = json_object_get(r->joined, key);
		if (says_nothing(said))
			fail_msg("the shard of this test says nothing in \"%s\": it would not be missed", key);
		json_auto_t *said_plain = g_str_equal(key, "shards") ? without_ending(said) : json_deep_copy(said);
		json_auto_t *kept_plain = g_str_equal(key, "shards") ? without_ending(kept) : json_deep_copy(kept);
		assert_kept(key, said_plain, kept_plain);
	}
}

static gboolean is_in(const json_t *list, const json_t *wanted)
{
	for (gsize i = 0; i < json_array_size(list); i++)
		if (json_equal(json_array_get(list, i), wanted))
			return TRUE;
	return FALSE;
}

static void every_entry_of_a_list_is_in_the_joined_one(void **state)
{
	Reports *r = *state;
	const char *key;
	json_t *described;
	guint lists = 0;
	join(r, taciturn(), talkative(2, 2));
	json_object_foreach(r->schema, key, described)
	{
		for (guint s = 0; s < 2; s++) {
			const json_t *said = json_object_get(r->shards[s], key);
			lists += json_is_array(said);
			for (gsize i = 0; i < json_array_size(said); i++) {
				g_autofree char *entry = shown(json_array_get(said, i));
				if (!is_in(json_object_get(r->joined, key), json_array_get(said, i)))
					fail_msg("%s: the joined report lacks %s", key, entry);
			}
		}
	}
	assert_true(lists >= 8);
}

static void what_only_one_shard_knows_is_kept(void **state)
{
	Reports *r = *state;
	const char *key;
	json_t *described;
	join(r, taciturn(), talkative(2, 2));
	json_object_foreach(r->schema, key, described) if (says_nothing(json_object_get(r->joined, key)))
	        fail_msg("%s: of two shards the joined report says nothing", key);
	assert_int_equal(json_integer_value(json_object_get(r->joined, "exit_code")), 9);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
	        TEST(one_shard_of_one_joins_to_what_it_says),
	        TEST(every_entry_of_a_list_is_in_the_joined_one),
	        TEST(what_only_one_shard_knows_is_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
