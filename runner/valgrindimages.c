#include "runner/valgrindimages.h"

#include "core/error.h"
#include "runner/valgrindfiles.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdalign.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_BYTES 65536
/* Equal events that follow each other become one; with the end of each file between them they do not. */
#define WATCHED (IN_OPEN | IN_CREATE | IN_CLOSE_WRITE | IN_ONLYDIR)

struct ValgrindImages {
	int fd;
	char *folder;
	const char *kind; /* static */
	guint64 main_pid;
	GHashTable *processes; /* of Process by pid */
	ImagesLoss loss;
};

/* What was seen of one process. Each part of a dump is opened once, and made then. */
typedef struct {
	guint images, parts_made, parts_opened;
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
	if (g_rename(path, old) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot move %s", path);
	*moved = g_steal_pointer(&old);
	return TRUE;
}

/* Whether an image that ended with this part, or without any (NULL), has lost nothing. A copy that went on to another
 * program by system calls of its own has nothing but what its original has. */
static gboolean is_dumped(const ValgrindImages *images, const OldFile *file, const char *last_part)
{
	if (last_part == NULL)
		return file->image == 1 && file->pid != images->main_pid;
	g_autoptr(ValgrindHead) head = valgrind_callgrind_head(last_part);
	return head != NULL && head->before_exec;
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
	if (final == NULL && g_str_equal(images->kind, VALGRIND_CALLGRIND) && !is_dumped(images, &file, last_part))
		note_loss(images, IMAGES_UNDUMPED);
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

static gboolean begin_image(ValgrindImages *images, guint64 pid, GError **error)
{
	guint before = find_process(images, pid)->images++;
	return before == 0 || clear_way(images, (OldFile){.pid = pid, .image = before}, error);
}

static gboolean take_event(ValgrindImages *images, const struct inotify_event *event, GError **error)
{
	ValgrindFile file;
	gboolean made = (event->mask & IN_CREATE) != 0;
	if ((event->mask & IN_Q_OVERFLOW) != 0)
		note_loss(images, IMAGES_LATE);
	if (event->len == 0 || (event->mask & (IN_OPEN | IN_CREATE)) == 0)
		return TRUE;
	if (valgrind_file_parse(event->name, images->kind, &file)) {
		if (file.part != G_MAXUINT64 && file.image == G_MAXUINT64)
			take_part(images, file.pid, made);
		return TRUE;
	}
	if (made || !valgrind_file_parse(event->name, valgrind_log_kind(images->kind), &file))
		return TRUE;
	return begin_image(images, file.pid, error);
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
