/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/discover/trial.h"

#include "core/cancel.h"
#include "runner/discover/trialbuild.h"
#include "runner/discover/trialcases.h"
#include "runner/discover/trialplain.h"
#include "runner/discover/trialremarks.h"

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
		trial_cases(trying, program, id, allowed);
	else
		trial_plain(trying, program);
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
				leave_out(trying, program, "there are enough others, and a check would take too long");
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
		trial_build(&trying, g_ptr_array_index(discovery->builds, i));
	try_programs(&trying);
	remark_long_runs(proposal);
	for (guint i = 0; i < discovery->builds->len; i++)
		remark_unoptimised(trial->place, g_ptr_array_index(discovery->builds, i), proposal->remarks);
	/* where nothing could be built, all is written as it was tried, to be mended */
	proposal->build = discovery_build_command(discovery, g_hash_table_size(kept) > 0 ? kept : NULL);
	return cancel_check(error) ? g_steal_pointer(&proposal) : NULL;
}
