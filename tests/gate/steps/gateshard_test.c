/* SPDX-License-Identifier: Apache-2.0 */
/* A check that is split over several machines: which part this one measures, and what it leaves to others. */
#include "gate/steps/gateshard.h"

#include "tests/gate/fixture/gatefixture.h"

#define THREE                                                                                                          \
	"version: 1\nbenchmarks:\n- {name: work, command: ./work, engines: [callgrind]}\n"                             \
	"- {name: other, command: ./other, engines: [callgrind]}\n"                                                    \
	"- {name: long, command: ./long, engines: [callgrind]}\n"

static void commit_three(GateFixture *f)
{
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_put(f, "long.costs", "main 2000 1000\n");
	gate_fixture_base(f, THREE, COSTS);
	gate_fixture_head(f, COSTS "\n");
}

static const ShardPart *check_shard(GateFixture *f, guint index, guint total)
{
	f->request.shard = (Shard){index, total};
	gate_fixture_check(f);
	return shard_set_single(f->result->shards);
}

static void each_shard_measures_its_own_part(void **state)
{
	GateFixture *f = *state;
	commit_three(f);
	const ShardPart *part = check_shard(f, 2, 3);
	assert_ends(f->result, 0, "");
	assert_int_equal(part->index, 2);
	assert_int_equal(part->benchmarks->len, 1);
	assert_string_equal(only_benchmark(f->result)->name, part->benchmarks->pdata[0]);
	assert_int_equal(f->result->shards->benchmarks->len, 3);
	assert_non_null(part->machine);
	assert_says(found(f->result, "shard")->text, "measures 1 of 3 benchmarks, split evenly");
}

static void all_shards_together_measure_everything_once(void **state)
{
	GateFixture *f = *state;
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	commit_three(f);
	for (guint i = 1; i <= 2; i++) {
		const ShardPart *part = check_shard(f, i, 2);
		for (guint k = 0; k < part->benchmarks->len; k++)
			assert_true(g_hash_table_add(seen, g_strdup(part->benchmarks->pdata[k])));
	}
	assert_int_equal(g_hash_table_size(seen), 3);
}

/* Base belongs to all shards: what one stored of it would change what others expect. */
static void a_shard_leaves_base_to_nobody(void **state)
{
	GateFixture *f = *state;
	commit_three(f);
	check_shard(f, 1, 3);
	assert_int_equal(stored_baselines(f, "base"), 0);
	assert_int_equal(stored_baselines(f, "main"), 1);
}

static void stored_times_decide_who_measures_what(void **state)
{
	GateFixture *f = *state;
	commit_three(f);
	gate_fixture_check(f);
	const ShardPart *part = check_shard(f, 1, 2);
	assert_says(found(f->result, "shard")->text, "split by their stored times");
	assert_int_equal(part->benchmarks->len, 1);
	assert_string_equal(part->benchmarks->pdata[0], "long");
}

static void times_of_an_ancestor_will_do(void **state)
{
	GateFixture *f = *state;
	commit_three(f);
	gate_fixture_check(f);
	gate_fixture_head(f, COSTS "\n\n");
	gate_fixture_head(f, COSTS "\n\n\n");
	f->request.base = "main^";
	check_shard(f, 1, 2);
	assert_says(found(f->result, "shard")->text, "split by their stored times");
}

static void more_shards_than_benchmarks_are_a_mistake(void **state)
{
	GateFixture *f = *state;
	commit_three(f);
	check_shard(f, 1, 4);
	assert_ends(f->result, 2, "usage");
}

static void a_shard_that_cannot_begin_says_which_it_is(void **state)
{
	GateFixture *f = *state;
	f->request.head = "no-such-branch";
	commit_three(f);
	const ShardPart *part = check_shard(f, 3, 3);
	assert_ends(f->result, 2, "usage");
	assert_int_equal(part->index, 3);
	assert_int_equal(f->result->shards->total, 3);
}

/* The gates of the whole check decide the level of each test, whichever shard makes it. */
static void a_shard_judges_as_strictly_as_the_whole(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_base(f,
	        "version: 1\nbenchmarks:\n- {name: work, command: ./work}\n- {name: other, command: ./other}\n", COSTS);
	gate_fixture_head(f, COSTS "\n");
	check_shard(f, 1, 2);
	assert_ends(f->result, 0, "");
	/* the first look at six gating metrics */
	assert_int_equal(only_benchmark(f->result)->campaign.rounds, 11);
}

/* Head may not weaken the gate of any benchmark, whichever shard measures it. */
static void a_head_that_weakens_the_gate_ends_every_shard(void **state)
{
	GateFixture *f = *state;
	commit_three(f);
	gate_fixture_put(f, "firebreak.yml", THREE "defaults: {gate: {instructions: {margin: 50%}}}\n");
	gate_fixture_commit(f, "lax");
	for (guint i = 1; i <= 3; i++) {
		check_shard(f, i, 3);
		assert_ends(f->result, 9, "policy_changed");
	}
}

static void a_head_that_does_not_build_ends_every_shard(void **state)
{
	GateFixture *f = *state;
	gate_fixture_put(f, "other.costs", COSTS);
	gate_fixture_put(f, "long.costs", COSTS);
	gate_fixture_base(f, THREE "build: {command: 'test ! -e broken'}\n", COSTS);
	gate_fixture_put(f, "broken", "");
	gate_fixture_head(f, COSTS "\n");
	for (guint i = 1; i <= 3; i++) {
		check_shard(f, i, 3);
		assert_ends(f->result, 5, "build_failed");
	}
}

static void a_calibration_can_be_split(void **state)
{
	GateFixture *f = *state;
	commit_three(f);
	f->request.mode = CHECK_CALIBRATE;
	for (guint i = 1; i <= 2; i++) {
		check_shard(f, i, 2);
		assert_ends(f->result, 0, "");
		assert_string_equal(f->result->base.sha, f->result->head.sha);
	}
}

/* Only where the shards are joined is it known if anything used it. */
static void a_shard_does_not_call_unused_what_another_one_may_use(void **state)
{
	GateFixture *f = *state;
	commit_three(f);
	gate_fixture_put(f, "work.costs", SLOWER);
	gate_fixture_commit(f, "slow\n\nPerf-Accepted: work: worth it\nPerf-Accepted: other: in case");
	for (guint i = 1; i <= 3; i++) {
		check_shard(f, i, 3);
		assert_ends(f->result, 0, "");
		assert_not_found(f->result, "acceptance_unused");
	}
	f->request.shard = (Shard){0};
	assert_ends(gate_fixture_check(f), 0, "");
	assert_says(found(f->result, "acceptance_unused")->text, "other");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(each_shard_measures_its_own_part),
	        GATE_TEST(all_shards_together_measure_everything_once),
	        GATE_TEST(a_shard_leaves_base_to_nobody),
	        GATE_TEST(stored_times_decide_who_measures_what),
	        GATE_TEST(times_of_an_ancestor_will_do),
	        GATE_TEST(more_shards_than_benchmarks_are_a_mistake),
	        GATE_TEST(a_shard_that_cannot_begin_says_which_it_is),
	        GATE_TEST(a_shard_judges_as_strictly_as_the_whole),
	        GATE_TEST(a_head_that_weakens_the_gate_ends_every_shard),
	        GATE_TEST(a_head_that_does_not_build_ends_every_shard),
	        GATE_TEST(a_calibration_can_be_split),
	        GATE_TEST(a_shard_does_not_call_unused_what_another_one_may_use),
	};
	return run_gate_tests(tests);
}
