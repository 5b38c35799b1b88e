/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trialbuild.h"

#include "core/cancel.h"

/* Builds each program by itself, since one of them fails. */
static void build_alone(const Trying *trying, const DiscoveredBuild *build)
{
	for (guint i = 0; i < build->programs->len && cancel_signal() == 0; i++) {
		DiscoveredProgram *program = g_ptr_array_index(build->programs, i);
		g_autoptr(GHashTable) one = g_hash_table_new(NULL, NULL);
		g_hash_table_add(one, program);
		g_autofree char *command = discovered_build_programs(build, one);
		trial_say(trying->trial, "building %s alone", program->name);
		char *failure = trial_build_failure(trying->trial, command);
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

void trial_build(const Trying *trying, const DiscoveredBuild *build)
{
	trial_say(trying->trial, "building with %s", build->system);
	g_autofree char *prepare = build->prepare != NULL ? g_strdup_printf("set -e\n%s", build->prepare) : NULL;
	g_autofree char *unprepared = trial_build_failure(trying->trial, prepare);
	if (unprepared != NULL) {
		fail_all(trying, build, unprepared);
		return;
	}
	g_autofree char *command = discovered_build_programs(build, NULL);
	g_autofree char *failure = trial_build_failure(trying->trial, command);
	if (failure == NULL)
		keep_all(trying, build);
	else if (build->programs->len > 1)
		build_alone(trying, build);
	else
		fail_all(trying, build, failure);
}
