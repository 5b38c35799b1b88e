/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that take each other's place under valgrind: who runs under which number, seen while it happens.
 *
 * Valgrind opens the log of a process, callgrind-log.<pid>, once when a program begins in it, be it a copy that fork()
 * made or a program that exec() put in the place of another:
 *
 *     shell            opens log 100     image 1 of 100
 *       fork           opens log 101     image 1 of 101: a copy of the shell
 *         exec prog    opens log 101     image 2 of 101
 *
 * The log of an image is moved as soon as it is there, since the next one would overwrite it, and it tells what the
 * program asked valgrind for. What the earlier image of a process counted was dumped just before the exec. Its files
 * have the names that the next one will use, so they are moved when that one opens its log, more than a tenth of a
 * second before its first dump. A move that came too late is noticed, since valgrind then opens a part that is there
 * already, and so is an image that ended without a dump.
 *
 * A copy of a process that goes on to another program by a system call of its own leaves no dump: Go's programs start
 * others like that. A log can be overwritten within milliseconds, on a busy machine before it is moved. Either is
 * accepted of a process that had used no more than IMAGES_UNSEEN_CPU_MS of CPU time by then, all its programs together:
 * a few times what valgrind needs until it opens its log.
 *
 * Valgrind removes, moves and reads nothing there. Whoever does takes away what tells of a program, and that is seen.
 */
#pragma once

#include <glib.h>

#define IMAGES_UNSEEN_CPU_MS 100

typedef struct ValgrindImages ValgrindImages;

/* Watches `folder` for processes with files of `kind` (runner/valgrind/valgrindfiles.h), of which `main_pid` is the
 * first. Errors: FIREBREAK_ERROR_ENVIRONMENT where the kernel watches no more folders for this user. Owned by the
 * caller. */
ValgrindImages *valgrind_images_new(const char *folder, const char *kind, guint64 main_pid, GError **error);
void valgrind_images_free(ValgrindImages *images);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ValgrindImages, valgrind_images_free)

/* A descriptor that can be read when valgrind_images_update() has something to do. */
int valgrind_images_fd(const ValgrindImages *images);
/* A ChildTick (core/child.h) for ValgrindImages: takes note of what has happened since, and moves files. To be called
 * once more when all processes have ended. Errors: FIREBREAK_ERROR_STORAGE if a file cannot be moved. */
gboolean valgrind_images_update(gpointer images, GError **error);

/* The number of programs that have run under that number; 0 = none that was seen. */
guint valgrind_images_count(const ValgrindImages *images, guint64 pid);

typedef enum {
	IMAGES_WHOLE,
	IMAGES_UNDUMPED, /* a program gave its place to another without a dump of its counts */
	IMAGES_UNSEEN,   /* a copy that did may have worked before: another try may help if it was seen late */
	IMAGES_TOUCHED,  /* somebody removed or moved a file, or opened a log of valgrind */
	IMAGES_LATE      /* files were not moved in time, or not everything was seen: another try may help */
} ImagesLoss;
/* The first thing that was lost so far. */
ImagesLoss valgrind_images_loss(const ValgrindImages *images);
