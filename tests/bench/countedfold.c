/* SPDX-License-Identifier: Apache-2.0 */
/* Self cost per function of callgrind's dumps, in a form that two tools can be compared in. Built and run by
 * counted.sh:
 *
 *     countedfold fold DUMP...     folded by profile/valgrind/callgrindfold.h, functions with code of their own only
 *     countedfold annotate the output of callgrind_annotate, on standard input; names as --demangle=no leaves
 * them
 *
 * print one line per function, and for `fold` the sum over all call paths as well:
 *
 *     total       instructions
 *     function    instructions    canonical name    canonical module
 *
 *     countedfold names            symbols on standard input, as path, address, size and linkage name
 *
 * prints them again with canonical names after them. All fields are separated by tabs. */
#include "core/error.h"
#include "model/canonical.h"
#include "profile/valgrind/callgrindfold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void end_if(GError *error)
{
	if (error == NULL)
		return;
	fprintf(stderr, "countedfold: %s\n", error->message);
	exit(firebreak_error_exit_code(error));
}

static void print_function(guint64 cost, const char *name, const char *module)
{
	printf("function\t%" G_GUINT64_FORMAT "\t%s\t%s\n", cost, name, module);
}

static void print_profile(const Profile *profile)
{
	guint n_frames;
	g_autofree ProfileCell *costs = profile_self_by_frame(profile, &n_frames);
	printf("total\t%" G_GUINT64_FORMAT "\n", profile_run_total(profile, 0).weight);
	for (guint32 i = 0; i < n_frames; i++)
		if (costs[i].weight != 0)
			print_function(costs[i].weight, stack_table_frame_name(profile->table, (FrameId){i}),
			        stack_table_frame_module(profile->table, (FrameId){i}));
}

static void fold(char **dumps, int n)
{
	GError *error = NULL;
	g_autoptr(StackTable) table = stack_table_new();
	g_autoptr(Profile) profile = profile_new(table, "instructions", "instructions");
	g_autoptr(GPtrArray) paths = g_ptr_array_new();
	for (int i = 0; i < n; i++)
		g_ptr_array_add(paths, dumps[i]);
	g_autoptr(CallgrindFold) folder = callgrind_fold_new(table);
	const CallgrindTarget target = {.event = "Ir", .profile = profile, .run = profile_add_run(profile)};
	const CallgrindFoldOptions options = {.no_inline = TRUE};
	CallgrindRunSummary summary = {0};
	callgrind_fold_add(folder, paths, &target, 1, &options, &summary, &error);
	end_if(error);
	callgrind_fold_finish(folder, NULL, &error);
	end_if(error);
	print_profile(profile);
	callgrind_run_summary_clear(&summary);
}

/* A line of callgrind_annotate:
 *
 *     12,345 ( 1.64%)  file.c:hash'parse'main [/srv/prog]     self cost of hash, called by parse, called by main
 *        678 ( 0.09%)  inlined.h:hash'parse'main              the same function, code from another file: no object */
typedef struct {
	guint64 cost;
	char *function; /* with callers */
	char *object;   /* or NULL */
} Annotated;

/* FALSE if the line holds no cost of a function. What `annotated` points to is in the line, which is cut up. */
static gboolean parse_annotated(char *line, Annotated *annotated)
{
	char *at = line, *colon = strchr(line, ':'), *object = strstr(line, " [");
	guint64 cost = 0;
	for (at += strspn(at, " "); g_ascii_isdigit(*at) || *at == ','; at++)
		if (*at != ',')
			cost = cost * 10 + (guint64)(*at - '0');
	if (cost == 0 || colon == NULL || strncmp(at, " (", 2) != 0)
		return FALSE;
	if (object != NULL) {
		*object = '\0';
		object += strlen(" [");
		object[strcspn(object, "]\n")] = '\0';
	}
	colon[1 + strcspn(colon + 1, "\n")] = '\0';
	*annotated = (Annotated){.cost = cost, .function = colon + 1, .object = object};
	return TRUE;
}

static void print_annotated(const Annotated *annotated, const char *object)
{
	g_autofree char *linkage_name = g_strndup(annotated->function, strcspn(annotated->function, "'"));
	g_autofree char *name =
	        g_str_has_prefix(linkage_name, "0x") ? g_strdup("[unknown]") : canonical_name(linkage_name);
	g_autofree char *module = object == NULL || *object != '/' ? g_strdup("") : canonical_module(object);
	print_function(annotated->cost, name, module);
}

static void annotate(void)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(free);
	g_autoptr(GArray) costs = g_array_new(FALSE, FALSE, sizeof(Annotated));
	g_autoptr(GHashTable) objects = g_hash_table_new(g_str_hash, g_str_equal);
	for (;;) {
		char *line = NULL;
		size_t size = 0;
		gboolean more = getline(&line, &size, stdin) > 0;
		Annotated annotated;
		g_ptr_array_add(lines, line);
		if (!more)
			break;
		if (!parse_annotated(line, &annotated))
			continue;
		g_array_append_val(costs, annotated);
		if (annotated.object != NULL)
			g_hash_table_insert(objects, annotated.function, annotated.object);
	}
	for (guint i = 0; i < costs->len; i++) {
		const Annotated *annotated = &g_array_index(costs, Annotated, i);
		print_annotated(annotated, g_hash_table_lookup(objects, annotated->function));
	}
}

static void add_canonical_names(void)
{
	char *line = NULL;
	size_t size = 0;
	while (getline(&line, &size, stdin) > 0) {
		g_auto(GStrv) fields = g_strsplit(g_strchomp(line), "\t", -1);
		if (g_strv_length(fields) != 4)
			continue;
		g_autofree char *module = canonical_module(fields[0]), *name = canonical_name(fields[3]);
		printf("%s\t%s\t%s\t%s\t%s\n", fields[0], fields[1], fields[2], name, module);
	}
	free(line);
}

int main(int argc, char **argv)
{
	if (argc > 2 && g_str_equal(argv[1], "fold")) {
		fold(argv + 2, argc - 2);
	} else if (argc == 2 && g_str_equal(argv[1], "annotate")) {
		annotate();
	} else if (argc == 2 && g_str_equal(argv[1], "names")) {
		add_canonical_names();
	} else {
		fprintf(stderr, "usage: countedfold fold DUMP... | countedfold annotate | countedfold names\n");
		return FIREBREAK_ERROR_USAGE;
	}
	return 0;
}
