#include "runner/valgrindfiles.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where the line with the totals of a dump is looked for; it is the last but one. */
#define DUMP_END_BYTES 4096
#define QUOTED_LOG_BYTES 4096

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

static gint compare_files(gconstpointer a, gconstpointer b)
{
	const ValgrindFile *left = *(ValgrindFile *const *)a, *right = *(ValgrindFile *const *)b;
	if (left->pid != right->pid)
		return left->pid < right->pid ? -1 : 1;
	return left->part < right->part ? -1 : left->part > right->part;
}

/* FALSE if the name is not one of that kind. */
static gboolean parse_name(const char *name, const char *kind, ValgrindFile *file)
{
	if (!g_str_has_prefix(name, kind) || name[strlen(kind)] != '.')
		return FALSE;
	const char *at = name + strlen(kind) + 1;
	char *end = NULL;
	if (!g_ascii_isdigit(*at))
		return FALSE;
	file->pid = g_ascii_strtoull(at, &end, 10);
	file->part = G_MAXUINT64;
	if (*end == '.' && g_ascii_isdigit(end[1]))
		file->part = g_ascii_strtoull(end + 1, &end, 10);
	return *end == '\0';
}

GPtrArray *valgrind_files(const char *recording, const char *kind)
{
	GPtrArray *files = g_ptr_array_new_with_free_func(file_free);
	g_autoptr(GDir) dir = g_dir_open(recording, 0, NULL);
	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		ValgrindFile parsed;
		if (!parse_name(name, kind, &parsed))
			continue;
		ValgrindFile *file = g_new(ValgrindFile, 1);
		*file = parsed;
		file->path = g_build_filename(recording, name, NULL);
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

/* The last bytes of a file, NUL-terminated; NULL if it cannot be read. Owned by the caller. */
static char *read_end(const char *path, gsize bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	struct stat status;
	if (fd < 0)
		return NULL;
	g_autofree char *text = g_malloc0(bytes + 1);
	gssize n = -1;
	if (fstat(fd, &status) == 0)
		n = pread(fd, text, bytes, MAX(status.st_size - (off_t)bytes, 0));
	close(fd);
	return n < 0 ? NULL : g_steal_pointer(&text);
}

gboolean valgrind_callgrind_end(const char *path, guint64 *instructions)
{
	g_autofree char *end = read_end(path, DUMP_END_BYTES);
	const char *totals = end != NULL ? g_strrstr(end, "\ntotals: ") : NULL;
	if (totals == NULL || strchr(totals + 1, '\n') == NULL)
		return FALSE;
	*instructions = g_ascii_strtoull(totals + strlen("\ntotals: "), NULL, 10);
	return TRUE;
}

gboolean valgrind_dhat_is_whole(const char *path)
{
	g_autofree char *end = read_end(path, DUMP_END_BYTES);
	/* the text is one object, closed in its last line */
	return end != NULL && g_str_has_suffix(g_strchomp(end), "}");
}

char *valgrind_log_text(const char *folder, const char *log_kind)
{
	g_autoptr(GPtrArray) logs = valgrind_files(folder, log_kind);
	GString *text = g_string_new(NULL);
	for (guint i = 0; i < logs->len && text->len < QUOTED_LOG_BYTES; i++) {
		g_autofree char *end =
		        read_end(((const ValgrindFile *)logs->pdata[i])->path, QUOTED_LOG_BYTES - text->len);
		g_string_append(text, end != NULL ? end : "");
	}
	return g_string_free(text, FALSE);
}
