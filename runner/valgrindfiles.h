/* The files that the processes of a run under valgrind leave in its folder.
 *
 *     callgrind.123.1   counts of process 123 up to its first fork
 *     callgrind.123     its counts from then to its end
 *     dhat.123          its heap memory
 *     callgrind-log.123, dhat-log.123
 *                       what valgrind says about it, mostly nothing; there from its beginning
 *
 * A process that runs another program by exec begins anew with the same number: what it counted before is gone with it.
 * The content is foreign; only the ends of files are looked at here. */
#pragma once

#include <glib.h>

#define VALGRIND_CALLGRIND "callgrind"
#define VALGRIND_DHAT "dhat"

/* The kind of the logs that belong to dumps of that kind; static. */
const char *valgrind_log_kind(const char *kind);

typedef struct {
	char *path;
	guint64 pid, part; /* the part without a number is the last one: G_MAXUINT64 */
} ValgrindFile;

/* The files of one kind, sorted by process and part: a GPtrArray of ValgrindFile, empty if the folder cannot be read.
 * Owned by the caller. */
GPtrArray *valgrind_files(const char *folder, const char *kind);
/* Size of all files in the folder together. */
guint64 valgrind_files_bytes(const char *folder);
/* What logs of that kind hold, the processes one after the other, at most 4 KiB, "" if nothing. Owned by the caller. */
char *valgrind_log_text(const char *folder, const char *log_kind);

/* The first total of a dump by callgrind: instructions. FALSE if it does not end with totals, because it is cut off. */
gboolean valgrind_callgrind_end(const char *path, guint64 *instructions);
/* FALSE if a dump by DHAT is cut off. */
gboolean valgrind_dhat_is_whole(const char *path);
