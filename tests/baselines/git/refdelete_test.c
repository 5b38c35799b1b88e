/* SPDX-License-Identifier: Apache-2.0 */
/* Many refs at once: what goes, and what stays. */
#include "baselines/git/refdelete.h"

#include "baselines/store.h"

#include "tests/baselines/fixture.h"

#define N_REFS 4

/* A repository with refs of some made-up commits that all point to `commit`. */
typedef struct {
	char *path, *commit;
	char *names[N_REFS];
	RefStore *store;
	GArray *deletions;
} World;

static void add_ref(World *world, guint i)
{
	RefDeletion deletion = {.commit = world->names[i] = g_strdup_printf("%040x", i + 1)};
	g_autofree char *command =
	        g_strdup_printf("git update-ref " BASELINE_STORE_PREFIX "%s %s", deletion.commit, world->commit);
	do_in(world->path, command);
	g_strlcpy(deletion.value, world->commit, sizeof deletion.value);
	g_array_append_val(world->deletions, deletion);
}

static int set_up(void **state)
{
	World *world = g_new0(World, 1);
	g_autoptr(GError) error = NULL;
	world->path = new_repository(&world->commit);
	world->store = ref_store_open(world->path, BASELINE_STORE_PREFIX, &error);
	world->deletions = g_array_new(FALSE, TRUE, sizeof(RefDeletion));
	for (guint i = 0; i < N_REFS; i++)
		add_ref(world, i);
	*state = world;
	return error != NULL;
}

static int tear_down(void **state)
{
	World *world = *state;
	for (guint i = 0; i < N_REFS; i++)
		g_free(world->names[i]);
	g_array_unref(world->deletions);
	ref_store_free(world->store);
	remove_folder(world->path);
	g_free(world->commit);
	g_free(world);
	return 0;
}

static RefDeletion *deletion_at(const World *world, guint i)
{
	return &g_array_index(world->deletions, RefDeletion, i);
}

/* The number of refs that are left. */
static guint refs_left(const World *world)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) commits = ref_store_commits(world->store, &error);
	assert_no_error(error);
	return commits->len;
}

static void delete_all(const World *world)
{
	g_autoptr(GError) error = NULL;
	ref_delete_all(world->store, BASELINE_STORE_PREFIX, world->deletions, &error);
	assert_no_error(error);
}

/* Points a ref to another commit. */
static void change_ref(const World *world, guint i)
{
	do_in(world->path, "git commit -q --allow-empty -m second");
	g_autofree char *command = g_strdup_printf("git update-ref " BASELINE_STORE_PREFIX "%s HEAD", world->names[i]);
	do_in(world->path, command);
}

static void refs_go_in_one_call(void **state)
{
	const World *world = *state;
	delete_all(world);
	assert_int_equal(refs_left(world), 0);
	for (guint i = 0; i < N_REFS; i++)
		assert_false(deletion_at(world, i)->stays);
}

static void packed_refs_go_too(void **state)
{
	const World *world = *state;
	do_in(world->path, "git pack-refs --all");
	delete_all(world);
	assert_int_equal(refs_left(world), 0);
}

static void a_ref_that_was_changed_meanwhile_stays(void **state)
{
	const World *world = *state;
	change_ref(world, 1);
	delete_all(world);
	assert_int_equal(refs_left(world), 1);
	assert_true(deletion_at(world, 1)->stays);
	assert_false(deletion_at(world, 0)->stays);
}

static void a_ref_that_is_gone_already_is_no_obstacle(void **state)
{
	const World *world = *state;
	do_in(world->path, "git update-ref -d " BASELINE_STORE_PREFIX "0000000000000000000000000000000000000003");
	delete_all(world);
	assert_int_equal(refs_left(world), 0);
	assert_false(deletion_at(world, 2)->stays);
}

static void without_a_value_a_ref_goes_whatever_it_points_to(void **state)
{
	const World *world = *state;
	change_ref(world, 1);
	deletion_at(world, 1)->value[0] = '\0';
	delete_all(world);
	assert_int_equal(refs_left(world), 0);
}

static void a_ref_that_cannot_be_read_stays(void **state)
{
	const World *world = *state;
	g_autofree char *file = g_build_filename(world->path, ".git", BASELINE_STORE_PREFIX, world->names[3], NULL);
	assert_true(g_file_set_contents(file, "garbage\n", -1, NULL));
	delete_all(world);
	assert_int_equal(refs_left(world), 1);
	assert_true(deletion_at(world, 3)->stays);
}

static void what_a_symbolic_ref_points_to_stays(void **state)
{
	const World *world = *state;
	do_in(world->path,
	        "git symbolic-ref " BASELINE_STORE_PREFIX "0000000000000000000000000000000000000001 refs/heads/main");
	delete_all(world);
	assert_int_equal(refs_left(world), 0);
	do_in(world->path, "git rev-parse --verify -q refs/heads/main");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test_setup_teardown(refs_go_in_one_call, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(packed_refs_go_too, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_ref_that_was_changed_meanwhile_stays, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_ref_that_is_gone_already_is_no_obstacle, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(without_a_value_a_ref_goes_whatever_it_points_to, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(a_ref_that_cannot_be_read_stays, set_up, tear_down),
	        cmocka_unit_test_setup_teardown(what_a_symbolic_ref_points_to_stays, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
