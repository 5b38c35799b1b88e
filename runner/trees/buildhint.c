/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/trees/buildhint.h"

#include "runner/config/configlookup.h"
#include "runner/trees/treefiles.h"
#include "runner/trees/treewalk.h"

#include <string.h>
#include <time.h>

#define NS_PER_S 1000000000
/* A tick of the slowest clock that kernels note times by. */
#define TICK_US 10000
#define IDLE_LINE "nothing written"
#define UNBUILT_LINE "unbuilt "

typedef struct {
	gint64 since_ns;
	guint entries;
	gboolean written;   /* some entry was changed after that */
	const char *root;   /* of what follows; NULL = not wanted */
	GPtrArray *unbuilt; /* compiled programs that were not changed after that */
} TreeLook;

/* When the kernel last noted a change: unlike the time of modification nobody can set it. */
static gint64 changed_ns(const struct stat *info)
{
	return (gint64)info->st_ctim.tv_sec * NS_PER_S + info->st_ctim.tv_nsec;
}

/* A script is committed and runs as it is; a compiled program does not follow its sources unless it is built. */
static void note_unbuilt(const TreeLook *tree, const TreeEntry *entry)
{
	if (tree->root == NULL || !S_ISREG(entry->info->st_mode) || (entry->info->st_mode & 0111) == 0)
		return;
	g_autofree char *path = g_build_filename(tree->root, entry->path, NULL);
	if (tree_file_is_elf(path))
		g_ptr_array_add(tree->unbuilt, g_strdup(entry->path));
}

static TreeStep look(gpointer data, const TreeEntry *entry, GError **error)
{
	TreeLook *tree = data;
	(void)error;
	tree->entries++;
	if (changed_ns(entry->info) > tree->since_ns)
		tree->written = TRUE;
	else
		note_unbuilt(tree, entry);
	return TREE_GO_ON;
}

BuildStart build_start(const char *tree)
{
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	TreeLook before = {.since_ns = (gint64)now.tv_sec * NS_PER_S + now.tv_nsec};
	tree_walk(tree, look, &before, NULL);
	g_usleep(TICK_US);
	return (BuildStart){before.since_ns, before.entries};
}

static BuildLook *look_new(void)
{
	BuildLook *new = g_new0(BuildLook, 1);
	new->unbuilt = g_ptr_array_new_with_free_func(g_free);
	return new;
}

void build_look_free(BuildLook *look)
{
	if (look == NULL)
		return;
	g_ptr_array_unref(look->unbuilt);
	g_free(look);
}

BuildLook *build_look(const char *tree, const BuildStart *start)
{
	g_autoptr(BuildLook) found = look_new();
	TreeLook after = {.since_ns = start->time_ns, .root = tree, .unbuilt = found->unbuilt};
	if (!tree_walk(tree, look, &after, NULL))
		return NULL;
	found->idle = !after.written && after.entries == start->entries;
	return g_steal_pointer(&found);
}

char *build_look_text(const BuildLook *look)
{
	GString *text = g_string_new(look->idle ? IDLE_LINE "\n" : "");
	for (guint i = 0; i < look->unbuilt->len; i++) {
		const char *path = g_ptr_array_index(look->unbuilt, i);
		if (strchr(path, '\n') == NULL)
			g_string_append_printf(text, UNBUILT_LINE "%s\n", path);
	}
	return g_string_free(text, FALSE);
}

BuildLook *build_look_parse(const char *text)
{
	BuildLook *look = look_new();
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line != NULL; line++) {
		if (g_str_equal(*line, IDLE_LINE))
			look->idle = TRUE;
		else if (g_str_has_prefix(*line, UNBUILT_LINE))
			g_ptr_array_add(look->unbuilt, g_strdup(*line + strlen(UNBUILT_LINE)));
	}
	return look;
}

/* The program of a benchmark below the tree, links followed; NULL if it is named otherwise or not there. Owned by the
 * caller. */
static char *program_below(const char *tree, const ConfigBenchmark *benchmark)
{
	g_autofree char *program = config_program(benchmark);
	return strchr(program, '/') != NULL ? tree_path_named(tree, benchmark->cwd, program) : NULL;
}

static void look_at_program(const char *tree, const BuildLook *look, const ConfigBenchmark *benchmark, const char *name,
        FindingList *findings)
{
	g_autofree char *path = program_below(tree, benchmark), *program = config_program(benchmark);
	if (path == NULL || !g_ptr_array_find_with_equal_func(look->unbuilt, path, g_str_equal, NULL))
		return;
	finding_add(findings, FINDING_WARNING, "program_not_built", benchmark->name,
	        "%s of %s is older than its build: it is part of the commit, and no change of a source reaches it; let "
	        "the build command make it, or name the program that it makes",
	        program, name);
}

void build_hint(const char *tree, const BuildLook *look, const Config *config, const char *name, FindingList *findings)
{
	if (look->idle)
		finding_add(findings, FINDING_WARNING, "build_did_nothing", NULL,
		        "the build of %s succeeded and wrote no file: its command has to build the benchmarks (a check "
		        "builds from a fresh checkout, without what lies in your working folder)",
		        name);
	for (guint i = 0; i < config->benchmarks->len; i++)
		look_at_program(tree, look, config->benchmarks->pdata[i], name, findings);
}
