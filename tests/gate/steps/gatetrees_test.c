/* SPDX-License-Identifier: Apache-2.0 */
/* Builds of both sides: one that was written to is made anew, and what does not build ends the check. */
#include "gate/steps/gatetrees.h"

#include "tests/gate/fixture/gatefixture.h"

#define BUILD(command)                                                                                                 \
	"version: 1\nbuild: {command: '" command "'}\n"                                                                \
	"benchmarks: [{name: work, command: ./work, engines: [callgrind]}]\n"

/* Writes over `made` in every build that is in the cache. */
static void damage_builds(void)
{
	g_autofree char *cache = g_build_filename(g_get_user_cache_dir(), "firebreak", NULL);
	const char *const argv[] = {"sh", "-c",
	        "find \"$0\" -name made | while read -r made; do chmod -R u+w \"${made%/*}\"; echo other >\"$made\"; "
	        "done",
	        cache, NULL};
	int status = -1;
	assert_true(
	        g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, &status, NULL));
	assert_int_equal(status, 0);
}

static void head_is_built_next(void)
{
	gate_fixture_when_said("building", damage_builds);
}

/* Base's build is written to while head's is made. */
static const CheckResult *check_damaged(GateFixture *f)
{
	gate_fixture_base(f, BUILD("cp work.costs made"), COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_when_said("building", head_is_built_next);
	return gate_fixture_check(f);
}

static void a_build_that_was_written_to_is_made_anew(void **state)
{
	const CheckResult *result = check_damaged(*state);
	assert_ends(result, 0, "");
	assert_says(found(result, "build_damaged")->text, "wrote to the build of base");
}

/* Says all that a check of two builds by a compiler says at that level. */
static const char *said_of_compilers(GateFixture *f, TalkLevel level)
{
	f->talk.level = level;
	gate_fixture_put(f, "made.c", "int made(void) { return 0; }\n");
	gate_fixture_base(f, BUILD("cc -c made.c"), COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 0, "");
	return gate_fixture_said();
}

static void the_compilers_are_told_to_those_who_want_to_read_everything(void **state)
{
	assert_says(said_of_compilers(*state, TALK_VERBOSE), "both built by cc (");
}

static void others_find_them_in_the_report(void **state)
{
	GateFixture *f = *state;
	assert_null(strstr(said_of_compilers(f, TALK_NORMAL), "built by"));
	assert_int_equal(f->result->base.compilers->len, 1);
}

static void a_build_that_did_nothing_is_told_from_the_cache_too(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, BUILD("true"), COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_says(found(gate_fixture_check(f), "build_did_nothing")->text, "the build of base");
	/* base's counts are stored now, so only head's build is looked for */
	assert_says(found(gate_fixture_check(f), "build_did_nothing")->text, "the build of head");
	assert_says(gate_fixture_said(), "built before");
}

static void both_failures_are_told(void **state)
{
	GateFixture *f = *state;
	gate_fixture_base(f, BUILD("exit 1"), COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 5, "build_failed");
	assert_int_equal(f->result->reasons->len, 2);
}

static void put_in_working_folder(const GateFixture *f, const char *path, const char *text)
{
	g_autofree char *file = g_build_filename(f->repo, path, NULL), *folder = g_path_get_dirname(file);
	assert_int_equal(g_mkdir_with_parents(folder, 0755), 0);
	assert_true(g_file_set_contents(file, text, -1, NULL));
}

static void a_file_that_git_hides_from_the_build_is_named(void **state)
{
	GateFixture *f = *state;
	put_in_working_folder(f, ".gitignore", "tools\n");
	put_in_working_folder(f, "cmd/tools/data", "1\n");
	gate_fixture_base(f, BUILD("cat cmd/tools/data"), COSTS);
	gate_fixture_head(f, COSTS "\n");
	assert_ends(gate_fixture_check(f), 5, "build_failed");
	assert_says(((ResultReason *)f->result->reasons->pdata[0])->text,
	        "cmd/tools/data is in your working folder, but git ignores it");
}

static void time_ran_out(void)
{
	fake_host_pass(1000);
}

static void head_is_not_built_where_no_time_is_left(void **state)
{
	GateFixture *f = *state;
	f->request.max_time_s = 100;
	gate_fixture_base(f, BUILD("exit 1"), COSTS);
	gate_fixture_head(f, COSTS "\n");
	gate_fixture_when_said("building", time_ran_out);
	gate_fixture_check(f);
	assert_int_equal(f->result->reasons->len, 1);
	assert_ptr_equal(strstr(gate_fixture_said(), "building"), g_strrstr(gate_fixture_said(), "building"));
}

static void sides_that_are_not_prepared_have_no_folders(void **state)
{
	GateTrees trees = {.n_layouts = 1};
	(void)state;
	g_autoptr(GPtrArray) prefixes = gate_trees_prefixes(&trees);
	assert_int_equal(prefixes->len, 1);
	assert_null(prefixes->pdata[0]);
	assert_null(gate_trees_as_built(&trees, SIDE_BASE));
	gate_trees_clear(&trees);
}

static void layouts_come_after_what_was_built(void **state)
{
	Side built[3] = {{.tree_dir = NULL}};
	const GateTrees trees = {.sides = {built, NULL}, .n_layouts = 2};
	const ConfigBenchmark shuffled = {.layouts = 2}, plain = {.layouts = 1};
	guint n = 0;
	(void)state;
	assert_ptr_equal(gate_trees_variants(&trees, SIDE_BASE, &shuffled, &n), &built[1]);
	assert_int_equal(n, 2);
	assert_ptr_equal(gate_trees_variants(&trees, SIDE_BASE, &plain, &n), &built[0]);
	assert_int_equal(n, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        GATE_TEST(a_build_that_was_written_to_is_made_anew),
	        GATE_TEST(the_compilers_are_told_to_those_who_want_to_read_everything),
	        GATE_TEST(others_find_them_in_the_report),
	        GATE_TEST(a_build_that_did_nothing_is_told_from_the_cache_too),
	        GATE_TEST(both_failures_are_told),
	        GATE_TEST(a_file_that_git_hides_from_the_build_is_named),
	        GATE_TEST(head_is_not_built_where_no_time_is_left),
	        cmocka_unit_test(sides_that_are_not_prepared_have_no_folders),
	        cmocka_unit_test(layouts_come_after_what_was_built),
	};
	return run_gate_tests(tests);
}
