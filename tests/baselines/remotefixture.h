/* SPDX-License-Identifier: Apache-2.0 */
/* Two clones with a store each, and the bare repository that is the remote of both. */
#pragma once

#include "baselines/refwrite.h"
#include "baselines/sync.h"
#include "tests/baselines/fixture.h"

typedef struct {
	char *remote, *commit; /* of all three */
	char *clones[2];
	BaselineStore *stores[2];
	FindingList *findings;
} Remote;

static inline int open_remote(void **state)
{
	Remote *world = g_new0(Remote, 1);
	world->clones[0] = new_repository(&world->commit);
	world->remote = new_folder();
	world->clones[1] = new_folder();
	g_autofree char *bare = g_strdup_printf("git clone -q --bare . %s/r", world->remote);
	do_in(world->clones[0], bare);
	g_autofree char *add = g_strdup_printf("git remote add origin %s/r", world->remote);
	do_in(world->clones[0], add);
	g_autofree char *clone = g_strdup_printf("git clone -q %s/r .", world->remote);
	do_in(world->clones[1], clone);
	for (int i = 0; i < 2; i++)
		world->stores[i] = baseline_store_open(world->clones[i], NULL, NULL);
	world->findings = finding_list_new();
	*state = world;
	return 0;
}

static inline int close_remote(void **state)
{
	Remote *world = *state;
	for (int i = 0; i < 2; i++) {
		baseline_store_free(world->stores[i]);
		remove_folder(world->clones[i]);
	}
	finding_list_free(world->findings);
	remove_folder(world->remote);
	g_free(world->commit);
	g_free(world);
	return 0;
}

/* Stores a measurement of that benchmark in a clone. */
static inline void store_benchmark(const Remote *world, int clone, const char *benchmark)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(Measurement) measurement = measurement_new(benchmark, world->commit, world->commit);
	add_awkward_runs(measurement, 2);
	baseline_store_put(world->stores[clone], measurement, &error);
	assert_no_error(error);
}

/* Runs a command in the remote; returns what it printed. */
static inline char *run_in_remote(const Remote *world, const char *command)
{
	g_autofree char *dir = g_build_filename(world->remote, "r", NULL);
	return run_in(dir, command);
}

/* "refs/firebreak/<commit>" */
static inline char *ref_of(const Remote *world)
{
	return ref_store_name(baseline_store_refs(world->stores[0]), world->commit, NULL);
}

#define REMOTE_TEST(name) cmocka_unit_test_setup_teardown(name, open_remote, close_remote)
