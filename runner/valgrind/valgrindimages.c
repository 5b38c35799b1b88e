/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/valgrind/valgrindimages.h"

#include "core/error.h"
#include "runner/valgrind/valgrindfiles.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES 65536
/* Equal events that follow each other become one; with the end of each file between them they do not. */
#define WATCHED (IN_OPEN | IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVE | IN_ONLYDIR)

struct ValgrindImages {
	int fd;
	char *folder;
	const char *kind; /* static */
	guint64 main_pid;
	GHashTable *processes; /* of Process by pid */
	GHashTable *moved;     /* set of names from and to which files were moved here; each is used once */
	ImagesLoss loss;
};

/* The events that were seen of one process. Each part of a dump is opened once, and made then. */
typedef struct {
	guint images, logs_made, parts_made, parts_opened;
} Process;

/* One file of an image that another is taking the place of. */
typedef struct {
	guint64 pid, part; /* 0 = the last one, which has no number */
	guint image;
} OldFile;

ValgrindImages *valgrind_images_new(const char *folder, const char *kind, guint64 main_pid, GError **error)
{
	g_autoptr(ValgrindImages) images = g_new0(ValgrindImages, 1);
	images->folder = g_strdup(folder);
	images->kind = kind;
	images->main_pid = main_pid;
	images->processes = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	images->moved = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	images->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (images->fd >= 0 && inotify_add_watch(images->fd, folder, WATCHED) >= 0)
		return g_steal_pointer(&images);
	firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno,
	        "cannot watch the folder %s; raise fs.inotify.max_user_instances and max_user_watches", folder);
	return NULL;
}

void valgrind_images_free(ValgrindImages *images)
{
	if (images == NULL)
		return;
	if (images->fd >= 0)
		close(images->fd);
	g_hash_table_unref(images->processes);
	g_hash_table_unref(images->moved);
	g_free(images->folder);
	g_free(images);
}

int valgrind_images_fd(const ValgrindImages *images)
{
	return images->fd;
}

guint valgrind_images_count(const ValgrindImages *images, guint64 pid)
{
	const Process *process = g_hash_table_lookup(images->processes, GSIZE_TO_POINTER(pid));
	return process != NULL ? process->images : 0;
}

ImagesLoss valgrind_images_loss(const ValgrindImages *images)
{
	return images->loss;
}

static void note_loss(ValgrindImages *images, ImagesLoss loss)
{
	if (images->loss == IMAGES_WHOLE)
		images->loss = loss;
}

/* Moves a file, so that its event is known as our own. FALSE with errno. */
static gboolean move_own(ValgrindImages *images, const char *path, const char *kept)
{
	if (g_rename(path, kept) != 0)
		return FALSE;
	g_hash_table_add(images->moved, g_strconcat("<", strrchr(path, '/') + 1, NULL));
	g_hash_table_add(images->moved, g_strconcat(">", strrchr(kept, '/') + 1, NULL));
	return TRUE;
}

static char *file_path(const ValgrindImages *images, const OldFile *file)
{
	g_autofree char *part = file->part > 0 ? g_strdup_printf(".%" G_GUINT64_FORMAT, file->part) : g_strdup("");
	return g_strdup_printf("%s/%s.%" G_GUINT64_FORMAT "%s", images->folder, images->kind, file->pid, part);
}

/* Moves one file, if there is one with content: *moved is its new path then, else NULL. */
static gboolean move_file(ValgrindImages *images, const OldFile *file, char **moved, GError **error)
{
	g_autofree char *path = file_path(images, file);
	struct stat status;
	*moved = NULL;
	if (lstat(path, &status) != 0 || status.st_size == 0)
		return TRUE;
	g_autofree char *old = g_strdup_printf("%s.old%u", path, file->image);
	if (!move_own(images, path, old))
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot move %s", path);
	*moved = g_steal_pointer(&old);
	return TRUE;
}

/* CPU time of a process with all programs that ran in it, in its own and in system code; NAN if it is gone. */
static double process_cpu_ms(guint64 pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%" G_GUINT64_FORMAT "/stat", pid), *text = NULL;
	unsigned long user = 0, system = 0;
	if (!g_file_get_contents(path, &text, NULL, NULL))
		return NAN;
	/* the name may hold anything, but no later field a bracket */
	const char *at = strrchr(text, ')');
	if (at == NULL || sscanf(at, ") %*c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu", &user, &system) != 2)
		return NAN;
	return 1000.0 * (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* TRUE if a process can have done no work worth mentioning in what was not seen of it. */
static gboolean did_nothing(guint64 pid)
{
	return process_cpu_ms(pid) <= IMAGES_UNSEEN_CPU_MS;
}

/* The loss with an image that ended with this part, or without any (NULL). A copy that went on to another program at
 * once, by system calls of its own, has nothing but what its original has. */
static ImagesLoss loss_of(const ValgrindImages *images, const OldFile *file, const char *last_part)
{
	gboolean is_copy = file->image == 1 && file->pid != images->main_pid;
	if (last_part == NULL && is_copy)
		return did_nothing(file->pid) ? IMAGES_WHOLE : IMAGES_UNSEEN;
	g_autoptr(ValgrindHead) head = last_part != NULL ? valgrind_callgrind_head(last_part) : NULL;
	return head != NULL && head->before_exec ? IMAGES_WHOLE : IMAGES_UNDUMPED;
}

/* Moves the files of the image before. */
static gboolean clear_way(ValgrindImages *images, OldFile file, GError **error)
{
	g_autofree char *final = NULL, *last_part = NULL, *part = NULL;
	if (!move_file(images, &file, &final, error))
		return FALSE;
	for (file.part = 1;; file.part++) {
		if (!move_file(images, &file, &part, error))
			return FALSE;
		if (part == NULL)
			break;
		g_free(last_part);
		last_part = g_steal_pointer(&part);
	}
	/* DHAT cannot be asked to dump before the end */
	if (final == NULL && g_str_equal(images->kind, VALGRIND_CALLGRIND))
		note_loss(images, loss_of(images, &file, last_part));
	return TRUE;
}

static Process *find_process(ValgrindImages *images, guint64 pid)
{
	Process *process = g_hash_table_lookup(images->processes, GSIZE_TO_POINTER(pid));
	if (process != NULL)
		return process;
	process = g_new0(Process, 1);
	g_hash_table_insert(images->processes, GSIZE_TO_POINTER(pid), process);
	return process;
}

/* A part that is opened but not made was one of the image before, which had not been moved yet. */
static void take_part(ValgrindImages *images, guint64 pid, gboolean made)
{
	Process *process = find_process(images, pid);
	if (made)
		process->parts_made++;
	else if (++process->parts_opened > process->parts_made)
		note_loss(images, IMAGES_LATE);
}

/* Moves the log of an image that begins. One that was not made anew was overwritten by this image. */
static void keep_log(ValgrindImages *images, guint64 pid, const Process *process)
{
	g_autofree char *name = g_strdup_printf("%s.%" G_GUINT64_FORMAT, valgrind_log_kind(images->kind), pid);
	g_autofree char *path = g_build_filename(images->folder, name, NULL);
	g_autofree char *kept = g_strdup_printf("%s.old%u", path, process->images);
	if (process->logs_made < process->images && !did_nothing(pid))
		note_loss(images, IMAGES_LATE);
	if (!move_own(images, path, kept) && errno != ENOENT)
		note_loss(images, IMAGES_LATE);
}

static gboolean begin_image(ValgrindImages *images, guint64 pid, GError **error)
{
	Process *process = find_process(images, pid);
	guint before = process->images++;
	keep_log(images, pid, process);
	return before == 0 || clear_way(images, (OldFile){.pid = pid, .image = before}, error);
}

/* TRUE if an event shows that somebody else had a hand in a file of this kind. */
static gboolean is_touched(ValgrindImages *images, const struct inotify_event *event)
{
	ValgrindFile file;
	gboolean log = valgrind_file_parse(event->name, valgrind_log_kind(images->kind), &file);
	if (!log && !valgrind_file_parse(event->name, images->kind, &file))
		return FALSE;
	if ((event->mask & IN_MOVE) != 0) {
		g_autofree char *move = g_strconcat((event->mask & IN_MOVED_FROM) != 0 ? "<" : ">", event->name, NULL);
		return !g_hash_table_remove(images->moved, move);
	}
	/* a log that was moved is open in valgrind, which opens it no more */
	return (event->mask & IN_DELETE) != 0 || (log && file.image != G_MAXUINT64 && (event->mask & IN_OPEN) != 0);
}

static gboolean take_event(ValgrindImages *images, const struct inotify_event *event, GError **error)
{
	ValgrindFile file;
	gboolean made = (event->mask & IN_CREATE) != 0;
	if ((event->mask & IN_Q_OVERFLOW) != 0)
		note_loss(images, IMAGES_LATE);
	if (event->len > 0 && is_touched(images, event))
		note_loss(images, IMAGES_TOUCHED);
	if (event->len == 0 || (event->mask & (IN_OPEN | IN_CREATE)) == 0)
		return TRUE;
	if (valgrind_file_parse(event->name, images->kind, &file)) {
		if (file.part != G_MAXUINT64 && file.image == G_MAXUINT64)
			take_part(images, file.pid, made);
		return TRUE;
	}
	if (!valgrind_file_parse(event->name, valgrind_log_kind(images->kind), &file) || file.image != G_MAXUINT64)
		return TRUE;
	if (!made)
		return begin_image(images, file.pid, error);
	find_process(images, file.pid)->logs_made++;
	return TRUE;
}

gboolean valgrind_images_update(gpointer data, GError **error)
{
	ValgrindImages *images = data;
	alignas(struct inotify_event) char bytes[READ_BYTES];
	for (gssize n; (n = read(images->fd, bytes, sizeof bytes)) > 0;)
		for (const char *at = bytes; at < bytes + n;) {
			const struct inotify_event *event = (const void *)at;
			if (!take_event(images, event, error))
				return FALSE;
			at += sizeof *event + event->len;
		}
	return TRUE;
}
