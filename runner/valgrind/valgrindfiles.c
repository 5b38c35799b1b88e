/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrindfiles.h"

#include "core/regularfile.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Tells where the line with the totals of a dump is looked for; it is the last but one. */
#define DUMP_END_BYTES 4096
/* Tells where the command and the reason of a dump are looked for; arguments may be longer. */
#define DUMP_HEAD_BYTES 16384
#define QUOTED_LOG_BYTES 4096
/* The last words of a process that crashed come with its stack. */
#define LOG_END_BYTES ((gsize)256 * 1024)

#define LOG_BEGINNING_BYTES 256
/* Logs are searched in pieces of this size. */
#define LOG_PIECE_BYTES 65536

#define OLD_MARK ".old"
#define PART "\npart: "
#define TRIGGER "\ndesc: Trigger: "
#define TRIGGER_BEFORE "--dump-before="
#define LAST_WORDS "Process terminating with default action of signal "

const char *valgrind_log_kind(const char *kind)
{
	return g_str_equal(kind, VALGRIND_CALLGRIND) ? "callgrind-log" : "dhat-log";
}

static void file_free(gpointer data)
{
	ValgrindFile *file = data;
	g_free(file->path);
	g_free(file);
}

static gint compare_numbers(guint64 left, guint64 right)
{
	return left < right ? -1 : left > right;
}

static gint compare_files(gconstpointer a, gconstpointer b)
{
	const ValgrindFile *left = *(ValgrindFile *const *)a, *right = *(ValgrindFile *const *)b;
	if (left->pid != right->pid)
		return compare_numbers(left->pid, right->pid);
	if (left->image != right->image)
		return compare_numbers(left->image, right->image);
	return compare_numbers(left->part, right->part);
}

gboolean valgrind_file_parse(const char *name, const char *kind, ValgrindFile *file)
{
	if (!g_str_has_prefix(name, kind) || name[strlen(kind)] != '.')
		return FALSE;
	const char *at = name + strlen(kind) + 1;
	char *end = NULL;
	if (!g_ascii_isdigit(*at))
		return FALSE;
	file->pid = g_ascii_strtoull(at, &end, 10);
	file->part = file->image = G_MAXUINT64;
	if (*end == '.' && g_ascii_isdigit(end[1]))
		file->part = g_ascii_strtoull(end + 1, &end, 10);
	if (g_str_has_prefix(end, OLD_MARK) && g_ascii_isdigit(end[strlen(OLD_MARK)]))
		file->image = g_ascii_strtoull(end + strlen(OLD_MARK), &end, 10);
	return *end == '\0';
}

GPtrArray *valgrind_files(const char *recording, const char *kind)
{
	GPtrArray *files = g_ptr_array_new_with_free_func(file_free);
	g_autoptr(GDir) dir = g_dir_open(recording, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		ValgrindFile parsed;
		GStatBuf status;
		if (!valgrind_file_parse(name, kind, &parsed))
			continue;
		ValgrindFile *file = g_new(ValgrindFile, 1);
		*file = parsed;
		file->path = g_build_filename(recording, name, NULL);
		file->regular = g_lstat(file->path, &status) == 0 && S_ISREG(status.st_mode);
		file->bytes = file->regular ? (guint64)status.st_size : 0;
		g_ptr_array_add(files, file);
	}
	g_ptr_array_sort(files, compare_files);
	return files;
}

guint64 valgrind_files_bytes(const char *folder)
{
	guint64 bytes = 0;
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		GStatBuf status;
		bytes += g_lstat(path, &status) == 0 ? (guint64)status.st_size : 0;
	}
	return bytes;
}

/* The first or last bytes of a file, NUL-terminated; NULL if it is no regular file that can be read. Owned by the
 * caller. */
static char *read_piece(const char *path, gsize bytes, gboolean from_end)
{
	gint64 size = 0;
	int fd = regular_file_open(path, O_NOFOLLOW, G_MAXINT64, &size);
	if (fd < 0)
		return NULL;
	gsize wanted = MIN(bytes, (gsize)size);
	g_autofree char *text = g_malloc0(wanted + 1);
	gssize n = pread(fd, text, wanted, from_end ? size - (off_t)wanted : 0);
	close(fd);
	return n < 0 ? NULL : g_steal_pointer(&text);
}

gboolean valgrind_callgrind_end(const char *path, guint64 *instructions)
{
	g_autofree char *end = read_piece(path, DUMP_END_BYTES, TRUE);
	const char *totals = end != NULL ? g_strrstr(end, "\ntotals: ") : NULL;
	if (totals == NULL || strchr(totals + 1, '\n') == NULL)
		return FALSE;
	*instructions = g_ascii_strtoull(totals + strlen("\ntotals: "), NULL, 10);
	return TRUE;
}

gboolean valgrind_dhat_is_whole(const char *path)
{
	g_autofree char *end = read_piece(path, DUMP_END_BYTES, TRUE);
	/* the text is one object, closed in its last line */
	return end != NULL && g_str_has_suffix(g_strchomp(end), "}");
}

/* --- the beginning of a dump --- */

void valgrind_head_free(ValgrindHead *head)
{
	if (head == NULL)
		return;
	g_free(head->command);
	g_free(head);
}

static char *head_command(const char *text)
{
	const char *at = strstr(text, "\ncmd:");
	if (at == NULL)
		return g_strdup("");
	at += strlen("\ncmd:");
	const char *end = strstr(at, "\npart:");
	return g_strstrip(g_strndup(at, end != NULL ? (gsize)(end - at) : strlen(at)));
}

static void read_trigger(ValgrindHead *head, const char *text)
{
	static const char *const exec_functions[] = {VALGRIND_EXEC_FUNCTIONS, NULL};
	const char *at = strstr(text, TRIGGER);
	head->before_fork = head->before_exec = at == NULL;
	if (at == NULL || !g_str_has_prefix(at + strlen(TRIGGER), TRIGGER_BEFORE))
		return;
	at += strlen(TRIGGER) + strlen(TRIGGER_BEFORE);
	g_autofree char *function = g_strndup(at, strcspn(at, "'\n"));
	head->before_exec = g_strv_contains(exec_functions, function);
	head->before_fork = !head->before_exec;
}

ValgrindHead *valgrind_callgrind_head(const char *path)
{
	g_autofree char *text = read_piece(path, DUMP_HEAD_BYTES, FALSE);
	if (text == NULL)
		return NULL;
	ValgrindHead *head = g_new0(ValgrindHead, 1);
	/* the last one: arguments, which come before, may have such a line, too */
	const char *part = g_strrstr(text, PART);
	head->command = head_command(text);
	head->part = part != NULL ? g_ascii_strtoull(part + strlen(PART), NULL, 10) : 0;
	read_trigger(head, text);
	return head;
}

/* --- client requests --- */

typedef struct {
	const char *words;
	LogRequest request;
} RequestWords;

/* Codes of callgrind.h are 'C' 'T' << 16 and a number. What the words of the program can add to a log makes only its
 * own run invalid. */
static const RequestWords request_words[] = {
        {"client request: code 43540005,", LOG_STOPS_COUNTING},
        {": instrumentation switched OFF", LOG_STOPS_COUNTING},
        {"client request: code 43540002,", LOG_TOGGLES},
        {"client request: code 43540001,", LOG_ZEROES},
        {"  Zeroing costs...", LOG_ZEROES},
        {"Handling new value ", LOG_CHANGES_OPTIONS},
};
#define LONGEST_WORDS 64

static LogRequest find_request(const char *text, gsize bytes, LogRequest so_far)
{
	for (gsize i = 0; i < G_N_ELEMENTS(request_words); i++) {
		const RequestWords *row = &request_words[i];
		if (row->request > so_far && memmem(text, bytes, row->words, strlen(row->words)) != NULL)
			so_far = row->request;
	}
	return so_far;
}

LogRequest valgrind_log_request(const char *path)
{
	gint64 size = 0;
	int fd = regular_file_open(path, O_NOFOLLOW, G_MAXINT64, &size);
	if (fd < 0)
		return LOG_HARMLESS;
	g_autofree char *piece = g_malloc(LONGEST_WORDS + LOG_PIECE_BYTES);
	LogRequest request = LOG_HARMLESS;
	gsize kept = 0;
	/* words may lie across the end of a piece, so its end is looked at once more */
	for (gssize n; (n = read(fd, piece + kept, LOG_PIECE_BYTES)) > 0;) {
		gsize bytes = kept + (gsize)n;
		request = find_request(piece, bytes, request);
		kept = MIN(bytes, LONGEST_WORDS);
		memmove(piece, piece + bytes - kept, kept);
	}
	close(fd);
	return request;
}

/* --- logs --- */

/* The text of a line after "==123== ". */
static const char *said(const char *line)
{
	const char *text = g_str_has_prefix(line, "==") ? strstr(line + 2, "== ") : NULL;
	return text != NULL ? text + strlen("== ") : line;
}

static gboolean begins_with_one_of(const char *text, const char *const *beginnings)
{
	for (; *beginnings != NULL; beginnings++)
		if (g_str_has_prefix(text, *beginnings))
			return TRUE;
	return FALSE;
}

/* Adds what is not in the log of every process: its first lines name valgrind, the last ones are a summary, and `-v -v`
 * says much between them that only valgrind's own developers want to know. */
static void add_remarkable(GString *text, const char *log)
{
	static const char *const first[] = {"Callgrind, ", "DHAT, ", "Copyright (C) ", "Using Valgrind-",
	        "Command: ", "Parent PID: ", "For interactive control, ", "--", "0x",
	        "Adding active redirection:", "client request: ", NULL};
	static const char *const summary[] = {"Events    : ", "Total:     ", NULL};
	g_auto(GStrv) lines = g_strsplit(log, "\n", -1);
	for (char **line = lines; *line != NULL && !begins_with_one_of(said(*line), summary); line++)
		if (*said(*line) != '\0' && !begins_with_one_of(said(*line), first))
			g_string_append_printf(text, "%s\n", *line);
}

static gboolean is_first_line(const char *line, const char *kind)
{
	const char *tool = g_str_equal(kind, VALGRIND_CALLGRIND) ? "Callgrind, " : "DHAT, ";
	return g_str_has_prefix(line, "==") && g_str_has_prefix(said(line), tool);
}

/* A hole reads as zeros, which valgrind never writes. */
static gboolean has_hole(int fd)
{
	g_autofree char *piece = g_malloc(LOG_PIECE_BYTES);
	gssize n;
	while ((n = read(fd, piece, LOG_PIECE_BYTES)) > 0)
		if (memchr(piece, '\0', (gsize)n) != NULL)
			return TRUE;
	return n < 0;
}

static gboolean has_summary(const char *path, const char *kind)
{
	g_autofree char *end = read_piece(path, LOG_END_BYTES, TRUE);
	const char *summary = g_str_equal(kind, VALGRIND_CALLGRIND) ? "== Events    : " : "== Total:     ";
	return end != NULL && strstr(end, summary) != NULL;
}

gboolean valgrind_log_is_whole(const char *path, const char *kind, gboolean ended)
{
	gint64 size = 0;
	g_autofree char *beginning = read_piece(path, LOG_BEGINNING_BYTES, FALSE);
	int fd = regular_file_open(path, O_NOFOLLOW, G_MAXINT64, &size);
	gboolean whole = fd >= 0 && beginning != NULL && is_first_line(beginning, kind) && !has_hole(fd);
	if (fd >= 0)
		close(fd);
	return whole && (!ended || has_summary(path, kind));
}

char *valgrind_log_text(const char *folder, const char *log_kind)
{
	g_autoptr(GPtrArray) logs = valgrind_files(folder, log_kind);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < logs->len && text->len < QUOTED_LOG_BYTES; i++) {
		const ValgrindFile *log = logs->pdata[i];
		g_autofree char *whole = read_piece(log->path, LOG_END_BYTES, TRUE);
		if (whole != NULL)
			add_remarkable(text, whole);
	}
	g_string_truncate(text, MIN(text->len, QUOTED_LOG_BYTES));
	return g_string_free(text, FALSE);
}

int valgrind_log_crash(const char *path)
{
	static const int wrong[] = {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE};
	g_autofree char *log = read_piece(path, LOG_END_BYTES, TRUE);
	const char *words = log != NULL ? g_strrstr(log, LAST_WORDS) : NULL;
	guint64 number = words != NULL ? g_ascii_strtoull(words + strlen(LAST_WORDS), NULL, 10) : 0;
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
		if (number == (guint64)wrong[i])
			return wrong[i];
	return 0;
}
