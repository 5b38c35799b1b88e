/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the processes of a run under valgrind leave in its folder.
 *
 *     callgrind.123.1   counts of process 123 up to its first fork or exec
 *     callgrind.123     its counts from then to its end
 *     dhat.123          its heap memory
 *     callgrind-log.123, dhat-log.123
 *                       what valgrind says about it; there from its beginning
 *     callgrind-log.123.old1
 *                       what it says about the first program that ran under that number; each is moved as soon as
 *                       it is there, since the next program would overwrite it
 *     callgrind.123.1.old1, callgrind.123.old1
 *                       dumps of the first program that ran under that number, moved out of the way of the next one
 *                       (runner/valgrind/valgrindimages.h)
 *
 * The content is foreign; only the beginnings and ends of files are looked at here. The processes themselves may make
 * anything in the folder: nothing but a regular file is ever opened. */
#pragma once

#include <glib.h>

#define VALGRIND_CALLGRIND "callgrind"
#define VALGRIND_DHAT "dhat"

/* Tells where callgrind writes what it has counted so far. Several names of a libc may stand for one function, and
 * which of them valgrind takes for it is not known. */
#define VALGRIND_FORK_FUNCTIONS                                                                                        \
	"fork", "__fork", "__libc_fork", "_Fork", "vfork", "__vfork", "__libc_vfork", "posix_spawn", "posix_spawnp",   \
	        "__posix_spawn", "__spawni", "__spawnix"
#define VALGRIND_EXEC_FUNCTIONS                                                                                        \
	"execve", "__execve", "execv", "execvp", "execvpe", "__execvpe", "execl", "execlp", "execle", "fexecve",       \
	        "execveat"

/* The kind of the logs that belong to dumps of that kind; static. */
const char *valgrind_log_kind(const char *kind);

typedef struct {
	char *path;
	guint64 pid, part; /* the part without a number is the last one: G_MAXUINT64 */
	guint64 image;     /* which program of that process, from 1; the one that was not moved is G_MAXUINT64 */
	gboolean regular;  /* FALSE: not a file of valgrind's */
	guint64 bytes;     /* size; empty ones are made before anything is written to them */
} ValgrindFile;

/* The files of one kind, sorted by process, image and part: a GPtrArray of ValgrindFile, empty if the folder cannot be
 * read. Owned by the caller. */
GPtrArray *valgrind_files(const char *folder, const char *kind);
/* Takes `pid`, `part` and `image` from a name without its folder; FALSE if it is not of that kind. */
gboolean valgrind_file_parse(const char *name, const char *kind, ValgrindFile *file);
/* Size of all files in the folder together. */
guint64 valgrind_files_bytes(const char *folder);

/* The text of logs of that kind without their usual beginnings and ends, the processes one after the other, at most 4
 * KiB, "" if nothing. Owned by the caller. */
char *valgrind_log_text(const char *folder, const char *log_kind);
/* The signal that ended a process because it did something wrong (SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE), by its
 * log; 0 if there was none, or one that processes send each other on purpose. */
int valgrind_log_crash(const char *path);

/* The client requests that a process made to valgrind. They do not change what the program does, but they change what
 * is counted. */
typedef enum {
	LOG_HARMLESS,
	LOG_STOPS_COUNTING,  /* CALLGRIND_STOP_INSTRUMENTATION, or its monitor command */
	LOG_TOGGLES,         /* CALLGRIND_TOGGLE_COLLECT */
	LOG_ZEROES,          /* CALLGRIND_ZERO_STATS, or its monitor command */
	LOG_CHANGES_OPTIONS, /* VALGRIND_CLO_CHANGE: its children may run without valgrind then */
} LogRequest;
/* The gravest of them, the last of these, by the whole log; that takes the log of `-v -v`. A log that cannot be read
 * has none. */
LogRequest valgrind_log_request(const char *path);

/* TRUE if the log is what valgrind wrote from its first line on, and, for the last program of a process (`ended`), to
 * its summary. A program can truncate the log: what follows is then written after a hole. */
gboolean valgrind_log_is_whole(const char *path, const char *kind, gboolean ended);

/* The first total of a dump by callgrind: instructions. FALSE if it does not end with totals, because it is cut off. */
gboolean valgrind_callgrind_end(const char *path, guint64 *instructions);
/* FALSE if a dump by DHAT is cut off. */
gboolean valgrind_dhat_is_whole(const char *path);

/* The head of a dump by callgrind. Owned by the caller; NULL if it cannot be read. */
typedef struct {
	char *command;                     /* the program with its arguments, "" = not told */
	gboolean before_fork, before_exec; /* why it was written; both if that is not known */
	guint64 part;                      /* its number among those of its program, from 1; 0 = not told */
} ValgrindHead;
/* The head of a dump, owned by the caller; NULL if it cannot be read. */
ValgrindHead *valgrind_callgrind_head(const char *path);
void valgrind_head_free(ValgrindHead *head);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ValgrindHead, valgrind_head_free)
