/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/frameworks/programwatch.h"

#include "core/clock.h"
#include "core/regularfile.h"
#include "runner/frameworks/frameworks.h"
#include "runner/processtree.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MAX_PROCESSES 512
#define MAX_FILES 128 /* that are kept open */
#define MAX_STARTS 64 /* of one file, with other arguments each */
#define MAX_WORDS_BYTES 32768
#define MAX_MAPS_BYTES (4 << 20)
#define BETWEEN_LOOKS_NS 20000000
#define BETWEEN_CLOSE_LOOKS_NS 2000000
#define CLOSE_LOOK_NS 4000000
#define DELETED " (deleted)"

/* --- files --- */

typedef struct {
	FrameworkId id;
	gboolean asks_cpu_clock;
} FileFacts;

struct ProgramMemory {
	GHashTable *facts; /* of FileFacts by what the file is */
};

ProgramMemory *program_memory_new(void)
{
	ProgramMemory *memory = g_new0(ProgramMemory, 1);
	memory->facts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	return memory;
}

void program_memory_free(ProgramMemory *memory)
{
	if (memory == NULL)
		return;
	g_hash_table_unref(memory->facts);
	g_free(memory);
}

/* The text that tells a file, with its content, from others. */
static char *file_key(const struct stat *status)
{
	return g_strdup_printf("%ju:%ju:%jd:%jd.%ld:%jd.%ld", (uintmax_t)status->st_dev, (uintmax_t)status->st_ino,
	        (intmax_t)status->st_size, (intmax_t)status->st_mtim.tv_sec, status->st_mtim.tv_nsec,
	        (intmax_t)status->st_ctim.tv_sec, status->st_ctim.tv_nsec);
}

/* A file that processes of the run execute. */
typedef struct {
	int fd;
	const FileFacts *facts; /* of the memory; NULL = it is not read yet */
	char *key, *path;
	GPtrArray *starts; /* of char **: the arguments of the processes, each once */
} Program;

static void program_free(gpointer data)
{
	Program *program = data;
	close(program->fd);
	g_free(program->key);
	g_free(program->path);
	g_ptr_array_unref(program->starts);
	g_free(program);
}

/* --- processes --- */

typedef struct {
	char *key;   /* of the file that it executes */
	guint looks; /* since it does */
} Process;

static void process_free(gpointer data)
{
	Process *process = data;
	g_free(process->key);
	g_free(process);
}

struct ProgramWatch {
	pid_t root;
	char *own_key; /* of the program that starts and ends runs, which is none of them; NULL = it is not known */
	ProgramMemory *memory;
	GHashTable *processes; /* Process by pid */
	GHashTable *libraries; /* paths that are none of a program of a framework */
	GPtrArray *programs;   /* of Program, in the order in which they were seen */
	gboolean closely;
	gboolean asks_cpu_clock; /* by a file that was read in an earlier run */
	gint64 looked_ns;
	int timer; /* -1 = none */
};

static int timer_new(void)
{
	const struct itimerspec often = {.it_interval.tv_nsec = CLOSE_LOOK_NS, .it_value.tv_nsec = CLOSE_LOOK_NS};
	int timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (timer >= 0)
		timerfd_settime(timer, 0, &often, NULL);
	return timer;
}

/* The key of the file that a process executes; NULL if it is gone. Owned by the caller. */
static char *executed_key(pid_t pid)
{
	g_autofree char *exe = g_strdup_printf("/proc/%d/exe", (int)pid);
	struct stat status;
	return stat(exe, &status) == 0 ? file_key(&status) : NULL;
}

ProgramWatch *program_watch_new(pid_t pid, gboolean closely, ProgramMemory *memory)
{
	ProgramWatch *watch = g_new0(ProgramWatch, 1);
	pid_t parent = process_parent(pid);
	/* processes that a run leaves behind become children of its helper (core/child.h) */
	watch->root = parent > 1 && parent != getpid() ? parent : pid;
	if (watch->root == parent)
		watch->own_key = executed_key(parent);
	watch->memory = memory;
	watch->processes = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	watch->libraries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	watch->programs = g_ptr_array_new_with_free_func(program_free);
	watch->closely = closely;
	watch->timer = closely ? timer_new() : -1;
	return watch;
}

void program_watch_free(ProgramWatch *watch)
{
	if (watch == NULL)
		return;
	if (watch->timer >= 0)
		close(watch->timer);
	g_free(watch->own_key);
	g_hash_table_unref(watch->processes);
	g_hash_table_unref(watch->libraries);
	g_ptr_array_unref(watch->programs);
	g_free(watch);
}

/* The arguments of a process, each ended by a NUL; NULL if it has none: it is gone, or just begins. */
static char **process_words(pid_t pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/cmdline", (int)pid);
	g_autoptr(GString) text = regular_file_begin(path, 0, MAX_WORDS_BYTES);
	g_autoptr(GPtrArray) words = g_ptr_array_new_with_free_func(g_free);
	if (text == NULL || text->len == 0)
		return NULL;
	for (gsize at = 0; at < text->len; at += strlen(text->str + at) + 1)
		g_ptr_array_add(words, g_strdup(text->str + at));
	g_ptr_array_add(words, NULL);
	g_ptr_array_set_free_func(words, NULL);
	return (char **)g_ptr_array_free(g_steal_pointer(&words), FALSE);
}

static gboolean is_of_system(const char *path)
{
	static const char *const folders[] = {"/lib/", "/lib32/", "/lib64/", "/usr/lib/", "/usr/lib32/", "/usr/lib64/",
	        "/usr/libexec/", "/usr/bin/", "/bin/"};
	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++)
		if (g_str_has_prefix(path, folders[i]))
			return TRUE;
	return FALSE;
}

static Program *find_program(const ProgramWatch *watch, const char *key)
{
	for (guint i = 0; i < watch->programs->len; i++) {
		Program *program = watch->programs->pdata[i];
		if (g_str_equal(program->key, key))
			return program;
	}
	return NULL;
}

static void add_start(Program *program, const char *const *words)
{
	for (guint i = 0; i < program->starts->len; i++)
		if (g_strv_equal(program->starts->pdata[i], words))
			return;
	if (program->starts->len < MAX_STARTS)
		g_ptr_array_add(program->starts, g_strdupv((char **)words));
}

/* The program in this file, which is at `from` now and was started as `path`; NULL if it cannot be read, there are too
 * many, or it is known to be of no framework. `path` is copied. */
static Program *take_program(ProgramWatch *watch, const char *from, const char *path, const char *key)
{
	const FileFacts *facts = g_hash_table_lookup(watch->memory->facts, key);
	gint64 size = 0;
	Program *program = find_program(watch, key);
	if (program != NULL)
		return program;
	if (facts != NULL)
		watch->asks_cpu_clock = watch->asks_cpu_clock || (facts->asks_cpu_clock && !is_of_system(path));
	if ((facts != NULL && facts->id == FRAMEWORK_NONE) || watch->programs->len >= MAX_FILES)
		return NULL;
	int fd = regular_file_open(from, 0, G_MAXINT64, &size);
	if (fd < 0)
		return NULL;
	program = g_new0(Program, 1);
	*program = (Program){.fd = fd, .facts = facts, .key = g_strdup(key), .path = g_strdup(path)};
	program->starts = g_ptr_array_new_with_free_func((GDestroyNotify)g_strfreev);
	g_ptr_array_add(watch->programs, program);
	return program;
}

/* --- mapped files --- */

/* TRUE for the library of a framework itself. */
static gboolean is_framework(const char *path)
{
	static const char *const names[] = {"libbenchmark.so", "libbenchmark_main.so", "libtest-", "libCatch2."};
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (g_str_has_prefix(name, names[i]))
			return TRUE;
	return FALSE;
}

static void take_library(ProgramWatch *watch, pid_t pid, const char *path, const char *const *words)
{
	struct stat status;
	if (is_of_system(path) || is_framework(path) || g_hash_table_contains(watch->libraries, path))
		return;
	/* as that process sees it, which may have other mounts */
	g_autofree char *from = g_strdup_printf("/proc/%d/root%s", (int)pid, path);
	g_autofree char *key = stat(from, &status) == 0 ? file_key(&status) : NULL;
	Program *program = key != NULL ? take_program(watch, from, path, key) : NULL;
	if (program != NULL)
		add_start(program, words);
	else if (key != NULL)
		g_hash_table_add(watch->libraries, g_strdup(path));
}

/* "7f00-7f10 r-xp 00000000 fe:00 1234     /path": the path of what may be executed, or NULL. Cuts the line. */
static const char *mapped_program(char *line)
{
	char *rights = strchr(line, ' '), *path = strchr(line, '/');
	if (rights == NULL || path == NULL || rights[1] == '\0' || rights[2] == '\0' || rights[3] != 'x')
		return NULL;
	if (g_str_has_suffix(path, DELETED))
		path[strlen(path) - strlen(DELETED)] = '\0';
	return path;
}

static void look_at_libraries(ProgramWatch *watch, pid_t pid, const char *const *words)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/maps", (int)pid);
	g_autoptr(GString) text = regular_file_begin(path, 0, MAX_MAPS_BYTES);
	g_auto(GStrv) lines = text != NULL ? g_strsplit(text->str, "\n", -1) : NULL;
	for (char **line = lines; line != NULL && *line != NULL; line++) {
		const char *mapped = mapped_program(*line);
		if (mapped != NULL)
			take_library(watch, pid, mapped, words);
	}
}

/* --- looks --- */

static Process *find_process(ProgramWatch *watch, pid_t pid)
{
	Process *process = g_hash_table_lookup(watch->processes, GINT_TO_POINTER(pid));
	if (process != NULL)
		return process;
	process = g_new0(Process, 1);
	g_hash_table_insert(watch->processes, GINT_TO_POINTER(pid), process);
	return process;
}

/* Takes the program that a process executes, with its arguments. FALSE if it cannot be told at this moment. */
static gboolean take_executed(ProgramWatch *watch, pid_t pid, const char *exe, const char *key, char ***words)
{
	char path[PATH_MAX];
	gssize length = readlink(exe, path, sizeof path - 1);
	*words = process_words(pid);
	g_autofree char *now = executed_key(pid);
	/* it may have gone on to another program meanwhile, to which these arguments belong */
	if (*words == NULL || length <= 0 || g_strcmp0(key, now) != 0)
		return FALSE;
	path[length] = '\0';
	if (g_str_has_suffix(path, DELETED))
		path[strlen(path) - strlen(DELETED)] = '\0';
	Program *program = take_program(watch, exe, path, key);
	if (program != NULL)
		add_start(program, (const char *const *)*words);
	return TRUE;
}

/* Libraries come and go while a process runs; it is asked for them less and less often. */
static gboolean is_power_of_two(guint n)
{
	return n > 0 && (n & (n - 1)) == 0;
}

static void look_at_process(ProgramWatch *watch, pid_t pid)
{
	g_autofree char *exe = g_strdup_printf("/proc/%d/exe", (int)pid);
	g_auto(GStrv) words = NULL;
	g_autofree char *key = executed_key(pid);
	if (key == NULL || g_strcmp0(key, watch->own_key) == 0)
		return;
	Process *process = find_process(watch, pid);
	if (g_strcmp0(process->key, key) != 0) {
		if (!take_executed(watch, pid, exe, key, &words))
			return;
		g_free(process->key);
		process->key = g_steal_pointer(&key);
		process->looks = 0;
	}
	if (is_power_of_two(++process->looks) && (words != NULL || (words = process_words(pid)) != NULL))
		look_at_libraries(watch, pid, (const char *const *)words);
}

void program_watch_look(ProgramWatch *watch)
{
	gint64 now = clock_now_ns();
	if (now - watch->looked_ns < (watch->closely ? BETWEEN_CLOSE_LOOKS_NS : BETWEEN_LOOKS_NS))
		return;
	watch->looked_ns = now;
	g_autoptr(GArray) pids = process_tree(watch->root, MAX_PROCESSES);
	for (guint i = 0; i < pids->len; i++)
		look_at_process(watch, g_array_index(pids, pid_t, i));
}

static gboolean serve_timer(gpointer data, GError **error)
{
	ProgramWatch *watch = data;
	guint64 expirations;
	(void)error;
	while (read(watch->timer, &expirations, sizeof expirations) < 0 && errno == EINTR)
		;
	program_watch_look(watch);
	return TRUE;
}

void program_watch_timer(ProgramWatch *watch, GArray *watches)
{
	ChildWatch timer = {.fd = watch->timer, .ready = serve_timer, .data = watch};
	if (watch->timer >= 0)
		g_array_append_val(watches, timer);
}

/* --- what was seen --- */

static const FileFacts *facts_of(ProgramWatch *watch, Program *program)
{
	if (program->facts != NULL)
		return program->facts;
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", program->fd);
	FileFacts *facts = g_new0(FileFacts, 1);
	*facts = (FileFacts){framework_of_file(path), framework_file_asks_cpu_clock(path)};
	g_hash_table_insert(watch->memory->facts, g_strdup(program->key), facts);
	return program->facts = facts;
}

gboolean program_watch_asks_cpu_clock(ProgramWatch *watch)
{
	gboolean asks = watch->asks_cpu_clock;
	for (guint i = 0; i < watch->programs->len && !asks; i++) {
		Program *program = watch->programs->pdata[i];
		asks = !is_of_system(program->path) && facts_of(watch, program)->asks_cpu_clock;
	}
	return asks;
}

FrameworkId program_watch_calibrating(ProgramWatch *watch, char **path)
{
	for (guint i = 0; i < watch->programs->len; i++) {
		Program *program = watch->programs->pdata[i];
		FrameworkId id = facts_of(watch, program)->id;
		g_autofree char *file = g_strdup_printf("/proc/self/fd/%d", program->fd);
		for (guint s = 0; id != FRAMEWORK_NONE && s < program->starts->len; s++)
			if (framework_calibrates(id, file, program->starts->pdata[s])) {
				*path = g_strdup(program->path);
				return id;
			}
	}
	return FRAMEWORK_NONE;
}

/* Its path below the tree, or its name. */
static char *shown_path(const RunRequest *request, const char *path, gboolean *in_tree)
{
	const char *tree = request->side->tree_dir;
	gsize length = strlen(tree);
	*in_tree = strncmp(path, tree, length) == 0 && path[length] == '/';
	g_autofree char *shown = *in_tree ? g_strdup(path + length + 1) : g_path_get_basename(path);
	return g_utf8_make_valid(shown, -1);
}

void program_watch_judge(ProgramWatch *watch, const RunRequest *request, RunOutcome *outcome)
{
	g_autofree char *path = NULL;
	gboolean in_tree;
	if (request->trusted || request->benchmark->framework != FRAMEWORK_AUTO)
		return;
	FrameworkId id = program_watch_calibrating(watch, &path);
	if (id == FRAMEWORK_NONE)
		return;
	g_autofree char *shown = shown_path(request, path, &in_tree);
	run_outcome_fail(outcome, CALIBRATES_FAILURE, FALSE,
	        "its command starts %s, which is written with %s and calibrates itself: a slower program does fewer "
	        "iterations in a run, so that its cost per run says nothing; %slet `command` name that program, and "
	        "write `framework: %s` into its entry, and `filter:` with the case that it is about, or `framework: "
	        "none` if its arguments fix the work",
	        shown, framework_name(id), in_tree ? "" : "let the build leave it in the tree, ", framework_name(id));
}
