/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/generatedcode.h"

#include "profile/perfdata/perfmap.h"

/* The number of generations of forks in which code is looked for. Every address that nobody knows is looked for in all
 * of them, and a recording may hold a chain of any length. */
#define MAX_FORKS 16
/* A process may write its map while the recording is being completed. */
#define SLACK_SECONDS 5
#define NS_PER_S 1000000000

/* One program in a process: from fork or exec on. */
typedef struct Program {
	gint32 pid;
	struct Program *parent; /* forked from it; NULL after exec */
	JitDump *dump;          /* borrowed; NULL = none */
	PerfMap *map;
	gboolean has_looked; /* for a perf map */
} Program;

struct GeneratedCode {
	const PerfDataSummary *summary;
	RecordingOrigin origin;
	GPtrArray *programs; /* of Program, all there were */
	GHashTable *current; /* pid -> Program */
	GHashTable *dumps;   /* path -> JitDump, NULL if it cannot be read */
	guint n_dumps;
};

static void program_free(gpointer data)
{
	perf_map_free(((Program *)data)->map);
	g_free(data);
}

static void dump_free(gpointer data)
{
	jit_dump_free(data);
}

GeneratedCode *generated_code_new(const PerfDataSummary *summary, const RecordingOrigin *origin)
{
	GeneratedCode *code = g_new0(GeneratedCode, 1);
	code->summary = summary;
	code->origin = *origin;
	code->programs = g_ptr_array_new_with_free_func(program_free);
	code->current = g_hash_table_new(NULL, NULL);
	code->dumps = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, dump_free);
	return code;
}

void generated_code_free(GeneratedCode *code)
{
	if (code == NULL)
		return;
	g_hash_table_unref(code->current);
	g_ptr_array_unref(code->programs);
	g_hash_table_unref(code->dumps);
	g_free(code);
}

static Program *start_program(GeneratedCode *code, gint32 pid, Program *parent)
{
	Program *program = g_new0(Program, 1);
	program->pid = pid;
	program->parent = parent;
	g_ptr_array_add(code->programs, program);
	g_hash_table_insert(code->current, GINT_TO_POINTER(pid), program);
	return program;
}

static Program *program_of(GeneratedCode *code, gint32 pid)
{
	Program *program = g_hash_table_lookup(code->current, GINT_TO_POINTER(pid));
	return program != NULL ? program : start_program(code, pid, NULL);
}

static void take_dump(GeneratedCode *code, gint32 pid, const char *path)
{
	gpointer known;
	if (!g_hash_table_lookup_extended(code->dumps, path, NULL, &known)) {
		/* A dump that cannot be read is remembered as NULL, or each of its mappings would try again. */
		known = jit_dump_read(path, pid);
		g_hash_table_insert(code->dumps, g_strdup(path), known);
		code->n_dumps += known != NULL;
	}
	if (known != NULL)
		program_of(code, pid)->dump = known;
}

/* A forked child has the generated code of its parent in its memory; exec leaves nothing of it. A new thread is a fork
 * record with the process of its parent. What a fork that perf made up stands for is older than the recording, so its
 * parent's code at that time is not known. A dump is a file of the recorded machine, so its path means nothing
 * elsewhere. */
void generated_code_apply(GeneratedCode *code, const PerfDataRecord *record)
{
	if (record->kind == PERF_DATA_FORK && record->pid != record->fork.parent_pid)
		start_program(
		        code, record->pid, record->fork.is_made_up ? NULL : program_of(code, record->fork.parent_pid));
	else if (record->kind == PERF_DATA_COMM && record->comm.is_exec)
		start_program(code, record->pid, NULL);
	else if (record->kind == PERF_DATA_MMAP && jit_dump_is_path(record->mmap.path) &&
	         recording_origin_is_local(&code->origin))
		take_dump(code, record->pid, record->mmap.path);
}

guint64 generated_code_advance(GeneratedCode *code, gint32 pid, guint64 time_ns)
{
	guint64 state = 0;
	const Program *program = code->n_dumps > 0 ? program_of(code, pid) : NULL;
	for (guint i = 0; program != NULL && i < MAX_FORKS; i++, program = program->parent)
		if (program->dump != NULL)
			/* No term ever falls, so the sum is another one whenever one of them is. */
			state += jit_dump_advance(program->dump, time_ns);
	return state;
}

static GBytes *read_map(const GeneratedCode *code, gint32 pid)
{
	if (!recording_origin_is_local(&code->origin) || code->summary->perf_maps != NULL)
		return NULL;
	return perf_map_read(pid, code->origin.end_ns / NS_PER_S + SLACK_SECONDS);
}

static void look_for_map(const GeneratedCode *code, Program *program)
{
	const guint8 *text;
	gsize length;
	const PerfDataSummary *summary = code->summary;
	program->has_looked = TRUE;
	if (perf_maps_find(summary->perf_maps, summary->perf_maps_bytes, program->pid, &text, &length)) {
		program->map = perf_map_parse(text, length);
		return;
	}
	g_autoptr(GBytes) content = read_map(code, program->pid);
	text = content != NULL ? g_bytes_get_data(content, &length) : NULL;
	if (text != NULL)
		program->map = perf_map_parse(text, length);
}

static gboolean find_in_program(const GeneratedCode *code, Program *program, guint64 address, JitSymbol *symbol)
{
	if (program->dump != NULL && jit_dump_find(program->dump, address, symbol))
		return TRUE;
	if (!program->has_looked)
		look_for_map(code, program);
	*symbol = (JitSymbol){.name = program->map != NULL ? perf_map_find(program->map, address) : NULL};
	return symbol->name != NULL;
}

gboolean generated_code_find(GeneratedCode *code, gint32 pid, guint64 address, JitSymbol *symbol)
{
	Program *program = program_of(code, pid);
	for (guint i = 0; program != NULL && i < MAX_FORKS; i++, program = program->parent)
		if (find_in_program(code, program, address, symbol))
			return TRUE;
	return FALSE;
}
