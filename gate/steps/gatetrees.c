/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gatetrees.h"

#include "core/error.h"
#include "model/engine.h"

#define MAX_COPIES 3

gboolean gate_trees_make_dir(Gate *gate, GError **error)
{
	gate->cache_dir = default_cache_dir();
	gate->folder = campaign_folder_new(gate->cache_dir, error);
	if (gate->folder == NULL)
		return FALSE;
	const char *folder = campaign_folder_path(gate->folder);
	gate->cache = build_cache_open(gate->cache_dir != NULL ? gate->cache_dir : folder, error);
	if (gate->cache != NULL && build_cache_was_left(gate->cache))
		finding_add(gate->result->findings, FINDING_WARNING, "cache_doubted", NULL,
		        "an earlier check was killed while code of its change ran, which could write to this build "
		        "cache: its builds are not trusted, and everything is built again");
	gate->arena = gate->cache != NULL ? arena_new(folder, campaign_folder_short(gate->folder), error) : NULL;
	return gate->arena != NULL;
}

char *gate_trees_recording(const Gate *gate)
{
	g_autofree char *name = arena_random_name();
	return g_build_filename(campaign_folder_path(gate->folder), name, NULL);
}

/* Tells which layouts the benchmarks ask for: whether any runs as built, and the most of those that do not. Layout does
 * not change counts, so they are made as built. */
static void count_layouts(const Config *config, gboolean *as_built, guint *most)
{
	*as_built = FALSE;
	*most = 0;
	for (guint i = 0; i < config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = config->benchmarks->pdata[i];
		gboolean timed = config_uses_engine(benchmark, &engine_perf);
		if (timed && benchmark->layouts > 1)
			*most = MAX(*most, benchmark->layouts);
		if (config_uses_engine(benchmark, &engine_callgrind) || benchmark->layouts <= 1)
			*as_built = TRUE;
	}
}

/* The configuration of a build that gets no more time than the check has left; borrowed but for its first level. */
static Config within_budget(const Gate *gate, const Config *config)
{
	Config limited = *config;
	double left_s = gate_seconds_until(&gate->budget, gate->budget.end_ns);
	if (left_s * 1000 < (double)limited.build_timeout_ms)
		limited.build_timeout_ms = MAX((gint64)(left_s * 1000), 1);
	return limited;
}

static SidePlan side_plan(const Gate *gate)
{
	/* a commit that is measured alone has no other side that a link could lead to */
	const char *trusted = gate->own_trees[gate->two_sides ? SIDE_BASE : SIDE_HEAD];
	return (SidePlan){
	        .repo = gate->repo,
	        .links_tree = trusted,
	        .pass_env = gate->config->pass_env,
	        .privileges = gate->config->build_privileges,
	        .arena = gate->arena,
	        .cache = gate->cache,
	        .compiler = gate->compiler,
	        .findings = gate->result->findings,
	        .progress = talk_progress,
	        .progress_data = gate->request->talk,
	};
}

static gboolean build_side(
        Gate *gate, const TreesPlan *plan, int s, gboolean as_built, GateTrees *trees, GError **error)
{
	SidePlan side = side_plan(gate);
	g_assert(trees->sides[s] == NULL);
	trees->sides[s] = g_new0(Side, 1 + trees->n_layouts);
	for (guint layout = as_built ? 0 : 1; layout <= trees->n_layouts; layout++) {
		Config config = within_budget(gate, plan->configs[s]);
		side.config = &config;
		side.layout = layout;
		if (!side_build(&side, sides_name(s), &plan->choices[s], &trees->sides[s][layout], error))
			return FALSE;
	}
	return TRUE;
}

static gboolean rebuild(Gate *gate, const TreesPlan *plan, int s, Side *damaged, const char *path, GError **error)
{
	Config config = within_budget(gate, plan->configs[s]);
	SidePlan side = side_plan(gate);
	side.config = &config;
	side.layout = damaged->layout;
	finding_add(gate->result->findings, FINDING_WARNING, "build_damaged", NULL,
	        "somebody wrote to the build of %s after it was made (%s): it is built again", sides_name(s), path);
	return side_rebuild(&side, sides_name(s), &plan->choices[s], damaged, error);
}

typedef enum { COPIES_GOOD, COPIES_DAMAGED, COPIES_FAILED } Copies;

/* Copies the variants of a side; one that is damaged is built anew. */
static Copies copy_side(Gate *gate, const TreesPlan *plan, int s, GateTrees *trees, GError **error)
{
	for (guint layout = 0; layout <= trees->n_layouts; layout++) {
		Side *side = &trees->sides[s][layout];
		g_autofree char *difference = NULL;
		if (side->build_dir == NULL)
			continue;
		if (!side_copy(side, &difference, error))
			return COPIES_FAILED;
		if (difference != NULL)
			return rebuild(gate, plan, s, side, difference, error) ? COPIES_DAMAGED : COPIES_FAILED;
	}
	return COPIES_GOOD;
}

/* No copy is believed until no build has been made since. */
static gboolean copy_sides(Gate *gate, const TreesPlan *plan, GateTrees *trees, GError **error)
{
	for (int tries = 0; tries < MAX_COPIES; tries++) {
		Copies copies = COPIES_GOOD;
		for (int s = SIDE_BASE; s < N_SIDES && copies == COPIES_GOOD; s++)
			if (plan->wanted[s])
				copies = copy_side(gate, plan, s, trees, error);
		if (copies != COPIES_DAMAGED)
			return copies == COPIES_GOOD;
	}
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID,
	        "the builds of base and head write to each other: after %d tries they are still not as they were made",
	        MAX_COPIES);
}

TreesPlan gate_trees_plan(const Gate *gate)
{
	const Config *head = gate->head_config != NULL ? gate->head_config : gate->config;
	return (TreesPlan){
	        .choices = gate->choices,
	        .configs = {gate->judges_new ? head : gate->config, head},
	        .wanted = {TRUE, TRUE},
	};
}

gboolean gate_trees_prepare(Gate *gate, const TreesPlan *plan, GateTrees *trees, GError **error)
{
	gboolean ok = TRUE, as_built;
	count_layouts(gate->config, &as_built, &trees->n_layouts);
	if (trees->n_layouts > 0 && !side_can_shuffle(error))
		return FALSE;
	/* both are built even if the first fails: both failures are worth knowing */
	for (int s = SIDE_BASE; s < N_SIDES; s++) {
		g_autoptr(GError) failed = NULL;
		if (!plan->wanted[s] || build_side(gate, plan, s, as_built, trees, &failed))
			continue;
		gboolean go_on = g_error_matches(failed, FIREBREAK_ERROR, FIREBREAK_ERROR_BUILD) &&
		                 !gate_budget_is_over(&gate->budget);
		if (!ok)
			gate_add_failure(gate, NULL, failed);
		else
			g_propagate_error(error, g_steal_pointer(&failed));
		ok = FALSE;
		if (!go_on)
			break;
	}
	/* The programs run next, and could write to the cache: what is new in it from here on is not believed. */
	return ok && copy_sides(gate, plan, trees, error) && build_cache_distrust(gate->cache, error);
}

void gate_trees_clear_side(GateTrees *trees, int side)
{
	for (guint i = 0; trees->sides[side] != NULL && i <= trees->n_layouts; i++)
		side_clear(&trees->sides[side][i]);
	g_clear_pointer(&trees->sides[side], g_free);
}

void gate_trees_clear(GateTrees *trees)
{
	for (int s = 0; s < N_SIDES; s++)
		gate_trees_clear_side(trees, s);
}

GPtrArray *gate_trees_prefixes(const GateTrees *trees)
{
	GPtrArray *prefixes = g_ptr_array_new();
	for (int s = 0; s < N_SIDES; s++)
		for (guint i = 0; trees->sides[s] != NULL && i <= trees->n_layouts; i++)
			if (trees->sides[s][i].tree_dir != NULL) {
				g_ptr_array_add(prefixes, trees->sides[s][i].tree_dir);
				g_ptr_array_add(prefixes, trees->sides[s][i].build_dir);
			}
	g_ptr_array_add(prefixes, NULL);
	return prefixes;
}

const Side *gate_trees_as_built(const GateTrees *trees, int side)
{
	const Side *built = trees->sides[side];
	return built != NULL && built->tree_dir != NULL ? built : NULL;
}

const Side *gate_trees_first(const GateTrees *trees, int side, const ConfigBenchmark *benchmark)
{
	guint n;
	if (trees->sides[side] == NULL || !config_uses_engine(benchmark, &engine_perf))
		return gate_trees_as_built(trees, side);
	return gate_trees_variants(trees, side, benchmark, &n);
}

const Side *gate_trees_variants(const GateTrees *trees, int side, const ConfigBenchmark *benchmark, guint *n)
{
	*n = MAX(benchmark->layouts, 1);
	return &trees->sides[side][benchmark->layouts > 1 ? 1 : 0];
}
