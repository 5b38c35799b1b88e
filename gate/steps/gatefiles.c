/* SPDX-License-Identifier: Apache-2.0 */
#include "gate/steps/gatefiles.h"

#include "core/error.h"
#include "core/git/repooverlay.h"
#include "model/namelist.h"

#define LISTED 5

/* Files that say how a benchmark is built, by which head could do no more than by its build command. What they name
 * beside it (sources, versions of other packages) is not laid over base. */
static const char *const build_rules[] = {"CMakeLists.txt", "*.cmake", "Makefile", "makefile", "GNUmakefile",
        "Makefile.am", "*.mk", "configure.ac", "meson.build", "meson_options.txt", "meson.options", "Cargo.toml",
        "build.zig", "BUILD", "BUILD.bazel", NULL};

gboolean gate_is_new(const Gate *gate, const char *benchmark)
{
	return gate->new_names != NULL && g_hash_table_contains(gate->new_names, benchmark);
}

void gate_set_new(Gate *gate, const char *benchmark)
{
	if (gate->new_names == NULL)
		gate->new_names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_hash_table_add(gate->new_names, g_strdup(benchmark));
}

/* Files of the benchmarks that are new, or of those that are not and take them from that side. NULL-terminated and
 * borrowed, but for the array. */
static GPtrArray *paths_of(const Gate *gate, gboolean is_new, FilesFrom from)
{
	GPtrArray *paths = g_ptr_array_new();
	for (guint i = 0; i < gate->config->benchmarks->len; i++) {
		const ConfigBenchmark *benchmark = gate->config->benchmarks->pdata[i];
		gboolean wanted =
		        gate_is_new(gate, benchmark->name) == is_new && (is_new || benchmark->files_from == from);
		for (char **file = benchmark->files; wanted && file != NULL && *file != NULL; file++)
			g_ptr_array_add(paths, *file);
	}
	g_ptr_array_add(paths, NULL);
	return paths;
}

/* "2 files (bench/a.c, bench/b.c)". Owned by the caller. */
static char *files_text(const GPtrArray *files)
{
	g_autofree char *names = name_list(files, LISTED);
	return g_strdup_printf("%u file%s (%s)", files->len, files->len == 1 ? "" : "s", names);
}

/* Lays files of the other commit over a side, or its own back: the same, or for a new benchmark only what is missing
 * and the rules that it is built by. */
static gboolean lay(
        Gate *gate, int side, int from, const GPtrArray *paths, gboolean is_new, Overlay *overlay, GError **error)
{
	const OverlayPlan plan = {
	        .onto = gate->choices[side].tree,
	        .from = gate->own_trees[from],
	        .paths = (char *const *)paths->pdata,
	        .only_missing = is_new,
	        .replaced = build_rules,
	};
	if (!repo_overlay(gate->repo, &plan, overlay, error))
		return FALSE;
	g_free(gate->choices[side].tree);
	gate->choices[side].tree = g_strdup(overlay->tree_sha);
	return TRUE;
}

static void report_laid(Gate *gate, int side, const GPtrArray *laid, const char *why)
{
	if (laid->len == 0)
		return;
	g_autofree char *files = files_text(laid);
	finding_add(gate->result->findings, FINDING_WARNING, "files_laid_over", NULL,
	        "%s is built with %s's version of %s: %s", sides_name(side), sides_name(1 - side), files, why);
	gate_progress(gate, "%s is built with %s's version of %s", sides_name(side), sides_name(1 - side), files);
}

/* A person allows head to change the rules, of which the files are a part: each side has its own. */
static gboolean report_differing(Gate *gate, const GPtrArray *paths, GError **error)
{
	g_auto(Overlay) overlay = {0};
	const OverlayPlan plan = {
	        .onto = gate->choices[SIDE_HEAD].tree,
	        .from = gate->choices[SIDE_BASE].tree,
	        .paths = (char *const *)paths->pdata,
	};
	if (!repo_overlay(gate->repo, &plan, &overlay, error))
		return FALSE;
	g_autofree char *files = files_text(overlay.laid);
	if (overlay.laid->len > 0)
		finding_add(gate->result->findings, FINDING_WARNING, "files_differ", NULL,
		        "head changes %s of its benchmarks, and each side runs its own version "
		        "(--allow-policy-change): what differs may come from that",
		        files);
	return TRUE;
}

/* Files that base's configuration names and base has not got are held to no version. */
static gboolean report_missing(Gate *gate, const GPtrArray *paths, GError **error)
{
	const char *lacking = NULL;
	if (!repo_lacks_path(gate->repo, gate->own_trees[SIDE_BASE], (char *const *)paths->pdata, &lacking, error))
		return FALSE;
	if (lacking != NULL)
		finding_add(gate->result->findings, FINDING_WARNING, "files_missing", NULL,
		        "`files` names %s, which base does not have, so head may have any version of it", lacking);
	return TRUE;
}

static gboolean lay_known(Gate *gate, GError **error)
{
	g_autoptr(GPtrArray) of_base = paths_of(gate, FALSE, FILES_FROM_BASE);
	g_autoptr(GPtrArray) of_head = paths_of(gate, FALSE, FILES_FROM_HEAD);
	g_auto(Overlay) base = {0}, head = {0}, back = {0};
	if (gate->request->allow_policy_change)
		return report_differing(gate, of_base, error);
	/* a file that one benchmark has from head and another one from base is base's */
	if (!report_missing(gate, of_base, error) || !lay(gate, SIDE_BASE, SIDE_HEAD, of_head, FALSE, &base, error) ||
	        !lay(gate, SIDE_BASE, SIDE_BASE, of_base, FALSE, &back, error) ||
	        !lay(gate, SIDE_HEAD, SIDE_BASE, of_base, FALSE, &head, error))
		return FALSE;
	report_laid(gate, SIDE_BASE, base.laid, "`files_from: head`");
	report_laid(gate, SIDE_HEAD, head.laid,
	        "a benchmark that head changes is judged with base's files (`files`); if its build fails for that, "
	        "land the change of the benchmark by itself, with --allow-policy-change");
	return TRUE;
}

/* A name that is written wrongly would leave base without the file, and so without a comparison. */
static gboolean check_new(const Gate *gate, GError **error)
{
	g_autoptr(GPtrArray) paths = paths_of(gate, TRUE, FILES_FROM_HEAD);
	const char *lacking = NULL;
	if (!repo_lacks_path(gate->repo, gate->own_trees[SIDE_HEAD], (char *const *)paths->pdata, &lacking, error))
		return FALSE;
	return lacking == NULL || firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	                                  "`files` of a new benchmark names %s, which head does not have; name files "
	                                  "and folders of the commit, below its root",
	                                  lacking);
}

gboolean gate_files_lay(Gate *gate, GError **error)
{
	for (int s = 0; s < N_SIDES; s++)
		gate->own_trees[s] = g_strdup(gate->choices[s].tree);
	if (!gate->two_sides || gate->request->mode != CHECK_GATE)
		return TRUE;
	return check_new(gate, error) && lay_known(gate, error);
}

static void take_own_trees(Gate *gate)
{
	for (int s = 0; s < N_SIDES; s++) {
		g_free(gate->choices[s].tree);
		gate->choices[s].tree = g_strdup(gate->own_trees[s]);
	}
}

gboolean gate_files_lay_new(Gate *gate, GError **error)
{
	g_autoptr(GPtrArray) paths = paths_of(gate, TRUE, FILES_FROM_HEAD);
	g_auto(Overlay) base = {0};
	gate->judges_new = TRUE;
	take_own_trees(gate);
	if (!lay(gate, SIDE_BASE, SIDE_HEAD, paths, TRUE, &base, error))
		return FALSE;
	report_laid(gate, SIDE_BASE, base.laid,
	        "a new benchmark needs them, and base lacks them; where they are build rules, what they change is not "
	        "shown");
	if (base.kept->len == 0)
		return TRUE;
	g_autofree char *kept = files_text(base.kept);
	finding_add(gate->result->findings, FINDING_WARNING, "files_differ", NULL,
	        "base keeps its own version of %s, which `files` of a new benchmark names: what differs may come from "
	        "that",
	        kept);
	return TRUE;
}

gboolean gate_files_are_of_commit(const Gate *gate, const Measurement *measurement)
{
	gboolean is_base = gate->two_sides && g_str_equal(measurement->commit, gate->choices[SIDE_BASE].sha);
	int side = is_base ? SIDE_BASE : SIDE_HEAD;
	if (gate->judges_new && is_base)
		return FALSE; /* head's configuration says how it is built */
	return !g_str_equal(measurement->commit, gate->choices[side].sha) ||
	       g_strcmp0(measurement->tree, gate->own_trees[side]) == 0;
}
