/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/symbols/symbolchild.h"

#include "core/cancel.h"
#include "core/error.h"
#include "core/helperprogram.h"
#include "profile/symbols/sandbox.h"
#include "profile/symbols/symbolprotocol.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define REQUEST_LIMIT_MS (5 * 60 * 1000)
/* Whoever asks for rows is recording. */
#define ROWS_LIMIT_MS 2000
#define TICK_MS 200
/* An answer is received in steps, so that a head that announces much costs nothing before it comes. */
#define RECEIVE_BYTES (1 << 20)

struct SymbolChild {
	char *program; /* NULL = firebreak-symbols */
	gint64 limit_ms;
	pid_t pid; /* 0 = not started */
	int socket;
	gint64 allowed_ms, deadline_us; /* of the request under way */
};

SymbolChild *symbol_child_new_with(const char *program, gint64 limit_ms)
{
	SymbolChild *child = g_new0(SymbolChild, 1);
	child->program = g_strdup(program);
	child->limit_ms = limit_ms;
	child->socket = -1;
	return child;
}

SymbolChild *symbol_child_new(void)
{
	return symbol_child_new_with(NULL, REQUEST_LIMIT_MS);
}

/* Ends the process and returns its wait status. */
static int end_process(SymbolChild *child)
{
	int status = 0;
	close(child->socket);
	kill(child->pid, SIGKILL);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	child->pid = 0;
	child->socket = -1;
	return status;
}

void symbol_child_free(SymbolChild *child)
{
	if (child == NULL)
		return;
	if (child->pid != 0)
		end_process(child);
	g_free(child->program);
	g_free(child);
}

/* The child gets no secrets, and nothing that makes it ask a server for debug information. */
static char **child_environment(void)
{
	static const char *const passed[] = {
	        "HOME", "LD_LIBRARY_PATH", "ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"};
	char **environment = g_new0(char *, 1);
	for (gsize i = 0; i < G_N_ELEMENTS(passed); i++)
		if (g_getenv(passed[i]) != NULL)
			environment = g_environ_setenv(environment, passed[i], g_getenv(passed[i]), TRUE);
	return environment;
}

/* Descriptors 0 and 1 of the child are its end of the socket. No other descriptor gets into a process that foreign code
 * may take over. Sanitizers report on standard error, so it stays open for them. */
static int spawn(SymbolChild *child, const char *program, int its_end)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	char *const argv[] = {(char *)program, NULL};
	g_auto(GStrv) environment = child_environment();
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, its_end, 0);
	posix_spawn_file_actions_adddup2(&actions, its_end, 1);
	if (!SANDBOX_IS_SANITIZED)
		posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addclosefrom_np(&actions, 3);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	int failed = posix_spawn(&child->pid, program, &actions, &attributes, argv, environment);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return failed;
}

static gboolean start(SymbolChild *child, GError **error)
{
	int ends[2];
	if (child->pid != 0)
		return TRUE;
	g_autofree char *program =
	        child->program != NULL ? g_strdup(child->program) : helper_program_path("firebreak-symbols", error);
	if (program == NULL)
		return FALSE;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, errno, "cannot make a socket pair");
	/* above the descriptors that the child gets, so that they are made anew and lose close-on-exec */
	int its_end = fcntl(ends[1], F_DUPFD_CLOEXEC, 16);
	int failed = its_end >= 0 ? spawn(child, program, its_end) : errno;
	close(ends[1]);
	if (its_end >= 0)
		close(its_end);
	if (failed == 0) {
		child->socket = ends[0];
		return TRUE;
	}
	close(ends[0]);
	child->pid = 0;
	return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, failed, "cannot start %s", program);
}

typedef enum { TALK_OK, TALK_ENDED, TALK_LATE, TALK_CANCELLED } TalkResult;

/* Waits until the socket is ready for `events`. A signal to cancel that arrives right before poll() does not interrupt
 * it, so the wait is cut into pieces. */
static TalkResult wait_for(const SymbolChild *child, short events)
{
	for (;;) {
		struct pollfd fd = {.fd = child->socket, .events = events};
		if (cancel_signal() != 0)
			return TALK_CANCELLED;
		if (g_get_monotonic_time() >= child->deadline_us)
			return TALK_LATE;
		if (poll(&fd, 1, TICK_MS) > 0)
			return TALK_OK;
	}
}

static gboolean is_temporary(int error_number)
{
	return error_number == EINTR || error_number == EAGAIN;
}

static TalkResult send_all(const SymbolChild *child, const guint8 *bytes, gsize length)
{
	while (length > 0) {
		TalkResult ready = wait_for(child, POLLOUT);
		if (ready != TALK_OK)
			return ready;
		/* A child that has died must not end this process by SIGPIPE, and one that reads nothing must not hold
		 * it beyond the deadline. */
		gssize n = send(child->socket, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n < 0 && !is_temporary(errno))
			return TALK_ENDED;
		bytes += MAX(n, 0);
		length -= (gsize)MAX(n, 0);
	}
	return TALK_OK;
}

static TalkResult receive(const SymbolChild *child, guint8 *bytes, gsize length)
{
	while (length > 0) {
		TalkResult ready = wait_for(child, POLLIN);
		if (ready != TALK_OK)
			return ready;
		gssize n = recv(child->socket, bytes, length, MSG_DONTWAIT);
		if (n == 0 || (n < 0 && !is_temporary(errno)))
			return TALK_ENDED;
		bytes += MAX(n, 0);
		length -= (gsize)MAX(n, 0);
	}
	return TALK_OK;
}

/* An answer as it came. */
typedef struct {
	SymbolAnswerHead head;
	GByteArray *body;
	guint n_offsets;  /* of the request */
	gboolean is_none; /* the head makes no sense */
} Answer;

static TalkResult receive_answer(const SymbolChild *child, Answer *answer)
{
	gsize left;
	TalkResult result = receive(child, (guint8 *)&answer->head, sizeof answer->head);
	if (result != TALK_OK)
		return result;
	answer->is_none = !symbol_answer_body_bytes(&answer->head, answer->n_offsets, &left);
	while (!answer->is_none && left > 0 && result == TALK_OK) {
		guint from = answer->body->len, step = (guint)MIN(left, RECEIVE_BYTES);
		g_byte_array_set_size(answer->body, from + step);
		result = receive(child, answer->body->data + from, step);
		left -= step;
	}
	return result;
}

static gint64 request_limit_ms(const SymbolChild *child, SymbolRequestKind kind)
{
	return kind == SYMBOL_REQUEST_UNWIND_ROWS ? MIN(child->limit_ms, ROWS_LIMIT_MS) : child->limit_ms;
}

static TalkResult talk(SymbolChild *child, SymbolRequestKind kind, const GByteArray *request, Answer *answer)
{
	child->allowed_ms = request_limit_ms(child, kind);
	child->deadline_us = g_get_monotonic_time() + child->allowed_ms * 1000;
	TalkResult result = send_all(child, request->data, request->len);
	return result == TALK_OK ? receive_answer(child, answer) : result;
}

/* Ends the child and says what became of it. Returns FALSE. The child is not asked again: the rest of its answer would
 * be taken for the next one. The next request starts another. */
static gboolean fail(SymbolChild *child, TalkResult result, const char *path, GError **error)
{
	int status = end_process(child);
	if (result == TALK_CANCELLED)
		return cancel_check(error);
	if (result == TALK_LATE)
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "symbols: reading %s took longer than %g s", path, (double)child->allowed_ms / 1000);
	else if (result == TALK_ENDED && WIFSIGNALED(status))
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID, "symbols: reading %s killed by SIG%s (%s)",
		        path, sigabbrev_np(WTERMSIG(status)), strsignal(WTERMSIG(status)));
	else
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "symbols: reading %s: firebreak-symbols %s", path,
		        result == TALK_ENDED ? "ended without an answer" : "gave an answer that makes no sense");
	return FALSE;
}

/* Sends a request and receives its answer, which is of `kind`. */
static gboolean exchange(
        SymbolChild *child, const SymbolRequest *request, SymbolAnswerKind kind, Answer *answer, GError **error)
{
	const char *path = request->symbols.path;
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	if (!symbol_request_encode(bytes, request)) {
		g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
		        "symbols: %.64s: its path or build-id is too long", path);
		return FALSE;
	}
	if (!start(child, error))
		return FALSE;
	answer->n_offsets = request->symbols.n_offsets;
	TalkResult result = talk(child, request->kind, bytes, answer);
	if (result == TALK_ENDED && request->kind == SYMBOL_REQUEST_UNWIND_ROWS) {
		/* what ended it may have been no fault of the file: memory was short */
		end_process(child);
		g_byte_array_set_size(answer->body, 0);
		if (!start(child, error))
			return FALSE;
		result = talk(child, request->kind, bytes, answer);
	}
	if (result == TALK_OK && !answer->is_none && answer->head.kind == SYMBOL_ANSWER_ERROR) {
		symbol_answer_decode_error(&answer->head, answer->body->data, error);
		return FALSE;
	}
	if (result != TALK_OK || answer->is_none || answer->head.kind != kind)
		return fail(child, result, path, error);
	return TRUE;
}

gboolean symbol_child_resolve(
        SymbolChild *child, const ModuleSymbolsRequest *request, ModuleSymbols *symbols, GError **error)
{
	const SymbolRequest wrapped = {.kind = SYMBOL_REQUEST_NAMES, .symbols = *request};
	g_autoptr(GByteArray) body = g_byte_array_new();
	Answer answer = {.body = body};
	if (!exchange(child, &wrapped, SYMBOL_ANSWER_NAMES, &answer, error))
		return FALSE;
	if (symbol_answer_decode_names(symbols, &answer.head, body->data, request->n_offsets))
		return TRUE;
	return fail(child, TALK_OK, request->path, error);
}

gboolean symbol_child_unwind_rows(
        SymbolChild *child, const SymbolChildFile *file, guint64 file_offset, GArray *rows, GError **error)
{
	const SymbolRequest request = {
	        .kind = SYMBOL_REQUEST_UNWIND_ROWS,
	        .symbols = {.path = file->path,
	                .build_id = file->build_id,
	                .build_id_length = file->build_id_length,
	                .symfs = file->symfs,
	                .offsets = &file_offset,
	                .n_offsets = 1},
	};
	g_autoptr(GByteArray) body = g_byte_array_new();
	Answer answer = {.body = body};
	if (!exchange(child, &request, SYMBOL_ANSWER_ROWS, &answer, error))
		return FALSE;
	if (symbol_answer_decode_rows(rows, &answer.head, body->data))
		return TRUE;
	return fail(child, TALK_OK, file->path, error);
}

gboolean symbol_child_binary_info(SymbolChild *child, const char *path, BinaryInfo *info, GError **error)
{
	const SymbolRequest request = {.kind = SYMBOL_REQUEST_INFO, .symbols = {.path = path}};
	g_autoptr(GByteArray) body = g_byte_array_new();
	Answer answer = {.body = body};
	if (!exchange(child, &request, SYMBOL_ANSWER_INFO, &answer, error))
		return FALSE;
	if (symbol_answer_decode_info(info, &answer.head, body->data))
		return TRUE;
	return fail(child, TALK_OK, path, error);
}

gboolean symbol_child_listing(
        SymbolChild *child, const SymbolListingRequest *wanted, FunctionListing *listing, GError **error)
{
	const SymbolRequest request = {
	        .kind = SYMBOL_REQUEST_LISTING,
	        .symbols = {.path = wanted->path,
	                .build_id = wanted->build_id,
	                .build_id_length = wanted->build_id_length,
	                .symfs = wanted->symfs,
	                .are_addresses = wanted->are_addresses,
	                .offsets = &wanted->offset,
	                .n_offsets = 1},
	};
	g_autoptr(GByteArray) body = g_byte_array_new();
	Answer answer = {.body = body};
	if (!exchange(child, &request, SYMBOL_ANSWER_LISTING, &answer, error))
		return FALSE;
	if (symbol_answer_decode_listing(listing, &answer.head, body->data))
		return TRUE;
	return fail(child, TALK_OK, wanted->path, error);
}
