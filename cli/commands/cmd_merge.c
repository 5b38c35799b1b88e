/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/commands.h"
#include "cli/options/commandline.h"
#include "cli/options/commonoptions.h"
#include "cli/output/color.h"
#include "cli/output/rendering.h"
#include "compare/endings.h"
#include "compare/merge.h"
#include "core/error.h"
#include "model/textpiece.h"
#include "report/json/reportjson.h"
#include "report/output/outdir.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	char *out;
	ColorChoice color;
	InconclusiveChoice inconclusive;
	gboolean mixed_machines, json, quiet;
} Options;

/* --- the folders of the shards --- */

static gboolean has_report(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "report.json", NULL);
	return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/* The folders below `dir` that hold a report, by name. Owned by the caller. */
static GPtrArray *folders_below(const char *dir)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) entries = g_dir_open(dir, 0, NULL);
	const char *name;
	while (entries != NULL && (name = g_dir_read_name(entries)) != NULL) {
		g_autofree char *path = g_build_filename(dir, name, NULL);
		if (has_report(path))
			g_ptr_array_add(found, g_steal_pointer(&path));
	}
	g_ptr_array_sort(found, text_order);
	return found;
}

/* An output folder, or a folder of such. One without any is that of a shard that left no result: the merge notices. */
static GPtrArray *find_folders(char *const *dirs)
{
	GPtrArray *folders = g_ptr_array_new_with_free_func(g_free);
	for (; *dirs != NULL; dirs++) {
		if (has_report(*dirs)) {
			g_ptr_array_add(folders, g_strdup(*dirs));
			continue;
		}
		GPtrArray *below = folders_below(*dirs);
		g_ptr_array_extend_and_steal(folders, below);
	}
	return folders;
}

/* The path without links, as far as it is there. Owned by the caller. */
static char *real_path(const char *path)
{
	char *real = realpath(path, NULL);
	char *text = real != NULL ? g_strdup(real) : g_canonicalize_filename(path, NULL);
	free(real);
	return text;
}

/* An output that takes the place of one of its sources, or of a folder around it, would lose what that shard measured.
 */
static gboolean is_source(const GPtrArray *folders, const char *out)
{
	g_autofree char *target = real_path(out), *inside = g_strconcat(target, "/", NULL);
	for (guint i = 0; i < folders->len; i++) {
		g_autofree char *folder = real_path(folders->pdata[i]);
		if (g_str_equal(folder, target) || g_str_has_prefix(folder, inside))
			return TRUE;
	}
	return FALSE;
}

static CheckResult *read_folder(const char *folder, GError **error)
{
	g_autofree char *path = g_build_filename(folder, "report.json", NULL), *text = NULL;
	gsize length = 0;
	if (!g_file_get_contents(path, &text, &length, error))
		return NULL;
	return report_read(text, length, path, error);
}

/* --- the merge --- */

typedef struct {
	GPtrArray *folders; /* of char * */
	GPtrArray *results; /* of CheckResult, one for each */
	GHashTable *places; /* from the name of a benchmark to its folder; borrowed */
} Shards;

static void free_result(gpointer result)
{
	check_result_free(result);
}

static void shards_clear(Shards *shards)
{
	g_ptr_array_unref(shards->folders);
	g_ptr_array_unref(shards->results);
	g_hash_table_unref(shards->places);
}

static gboolean read_shards(Shards *shards, GError **error)
{
	for (guint i = 0; i < shards->folders->len; i++) {
		CheckResult *result = read_folder(shards->folders->pdata[i], error);
		if (result == NULL)
			return FALSE;
		g_ptr_array_add(shards->results, result);
		for (guint b = 0; b < result->benchmarks->len; b++) {
			const ResultBenchmark *benchmark = result->benchmarks->pdata[b];
			g_hash_table_insert(shards->places, g_strdup(benchmark->name), shards->folders->pdata[i]);
		}
	}
	return TRUE;
}

static CheckResult *merge(const Shards *shards, gboolean mixed_machines, GError **error)
{
	const MergeOptions options = {.mixed_machines = mixed_machines};
	g_autoptr(GArray) inputs = g_array_new(FALSE, FALSE, sizeof(MergeInput));
	for (guint i = 0; i < shards->folders->len; i++) {
		MergeInput input = {shards->results->pdata[i], shards->folders->pdata[i]};
		g_array_append_val(inputs, input);
	}
	return merge_results(inputs, &options, error);
}

static gboolean write_joined(const Shards *shards, CheckResult *result, const char *out, GError **error)
{
	g_autofree const char **places = g_new0(const char *, result->benchmarks->len + 1);
	for (guint i = 0; i < result->benchmarks->len; i++) {
		const ResultBenchmark *benchmark = result->benchmarks->pdata[i];
		places[i] = g_hash_table_lookup(shards->places, benchmark->name);
	}
	return outdir_write_joined(result, places, out, error);
}

typedef struct {
	const Options *options;
	const char *out;
} Parsed;

/* Replaces an earlier result in the folder, so that it cannot be taken for the result of this merge. */
static gboolean begin(const char *out, GError **error)
{
	g_autoptr(CheckResult) instead = check_result_new();
	ending_not_ended(instead, "merge");
	return outdir_outdate(out, instead, error);
}

/* Merges and prints. The result that is printed is read back, because writing the folder changes it. */
static int merge_and_print(Shards *shards, const Parsed *parsed)
{
	const Options *o = parsed->options;
	g_autoptr(GError) error = NULL;
	if (!begin(parsed->out, &error) || !read_shards(shards, &error))
		return command_failed(error);
	g_autoptr(CheckResult) result = merge(shards, o->mixed_machines, &error);
	if (result == NULL || !write_joined(shards, result, parsed->out, &error))
		return command_failed(error);
	g_autoptr(CheckResult) written = read_folder(parsed->out, &error);
	if (written == NULL)
		return command_failed(error);
	PrintForm form = o->json ? PRINT_JSON : o->quiet ? PRINT_VERDICT : PRINT_DETAILS;
	if (!print_check(written, parsed->options->color, parsed->out, form))
		return FIREBREAK_ERROR_STORAGE;
	return print_exit_code(written, parsed->options->inconclusive, form);
}

static int parse_and_merge(const Command *command, void *options, char **dirs)
{
	const Options *o = options;
	Parsed parsed = {.options = o, .out = o->out != NULL ? o->out : "firebreak-out"};
	if (dirs[0] == NULL)
		return command_usage(command, "name the output folders of the shards, or a folder that holds them");
	Shards shards = {
	        .folders = find_folders(dirs),
	        .results = g_ptr_array_new_with_free_func(free_result),
	        .places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};
	int code;
	if (shards.folders->len == 0)
		code = command_usage(command, "%s: no report.json in it, nor in a folder below it", dirs[0]);
	else if (is_source(shards.folders, parsed.out))
		code = command_usage(command,
		        "%s is or holds one of the folders to be merged: name another one with -o", parsed.out);
	else
		code = merge_and_print(&shards, &parsed);
	shards_clear(&shards);
	return code;
}

static const Option option_rows[] = {
        {"out", 'o', OPTION_FOLDER, "DIR", "output folder (default firebreak-out)", offsetof(Options, out),
                .section = SECTION_OUTPUT},
        {"mixed-machines", 0, OPTION_FLAG, NULL, "warn instead of refusing shards of unlike machines",
                offsetof(Options, mixed_machines), .section = SECTION_GENERAL},
        INCONCLUSIVE_OPTION(Options, inconclusive),
        REPORT_JSON_OPTION(Options, json),
        COLOR_OPTION(Options, color),
        VERDICT_ONLY_OPTION(Options, quiet),
};

static int run(const Command *command, char **argv)
{
	return command_run(command, &(Options){0}, argv, ANY_ARGUMENTS, parse_and_merge);
}

const Command merge_command = {
        .name = "merge",
        .arguments = "DIR...",
        .summary = "join the results of all shards of a check into one",
        .description =
                "DIR is the output folder of `firebreak check --shard I/N`, or a folder that holds several of them, "
                "such as downloaded artifacts. The result is what one machine would have given: report.json, "
                "report.html, tables and flame graphs of all benchmarks, and the exit code of check.\n"
                "\n"
                "Refused are shards of other commits (2), a shard or benchmark that is given twice (2), and those that "
                "were built with other tools or measured on another kind of machine (6). A shard or benchmark that is "
                "missing ends with 4: what was not measured never passes.",
        .options = {OPTION_GROUP(option_rows, 0)},
        .offer = OFFER_FOLDERS,
        .run = run,
};
