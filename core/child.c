/* SPDX-License-Identifier: Apache-2.0 */
#include "core/child.h"

#include "core/cancel.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/helperprogram.h"
#include "core/spawnprotocol.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* The time between looks at deadlines: a run ends soon after its timeout, and the looks do not disturb it. */
#define TICK_MS 25
#define DEFAULT_KEEP_BYTES (64 * 1024)
#define DEFAULT_GRACE_MS 1000
/* Under load, ten seconds were too few for what had been killed to be gone. */
#define KILL_AFTER_NS (60 * (gint64)G_USEC_PER_SEC * 1000)

enum { PIPE_OUT, PIPE_ERR, PIPE_REPORT, N_PIPES };

struct Child {
	pid_t helper, main;
	int pipes[N_PIPES]; /* read ends, -1 = at its end */
	int release_fd;
	gsize keep_bytes;
	gint64 timeout_ms, grace_ms;
	gint64 terminated_ns; /* when SIGTERM went to the helper, 0 = not yet */
	gboolean main_ended, done, abandoned;
	ChildResult result;
};

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static char *cpu_list(const int *cpus, guint n)
{
	GString *text = g_string_new(n == 0 ? "-" : NULL);
	for (guint i = 0; i < n; i++)
		g_string_append_printf(text, "%s%d", i == 0 ? "" : ",", cpus[i]);
	return g_string_free(text, FALSE);
}

/* The helper's argument vector; its strings are owned by the array. */
static GPtrArray *helper_argv(const char *helper, const ChildSpec *spec, gint64 grace_ms, int report_fd, int release_fd)
{
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(argv, g_strdup(helper));
	g_ptr_array_add(argv, g_strdup_printf("%d", report_fd));
	g_ptr_array_add(argv, g_strdup_printf("%d", release_fd));
	g_ptr_array_add(argv, g_strdup_printf("%" G_GINT64_FORMAT, grace_ms));
	g_ptr_array_add(argv, cpu_list(spec->cpus, spec->n_cpus));
	g_ptr_array_add(argv, g_strdup_printf("%" G_GINT64_FORMAT, spec->slice_ns));
	g_ptr_array_add(argv, g_strdup(spec->pass_io ? SPAWN_AS_CALLER : SPAWN_CONFINED));
	g_ptr_array_add(argv, g_strdup(spec->fixed_addresses ? SPAWN_FIXED_ADDRESSES : SPAWN_USUAL_ADDRESSES));
	g_ptr_array_add(argv, g_strdup(spec->no_new_privileges ? SPAWN_NO_NEW_PRIVILEGES : SPAWN_MAY_GAIN_PRIVILEGES));
	g_ptr_array_add(argv, g_strdup(spec->cwd));
	for (const char *const *arg = spec->argv; *arg != NULL; arg++)
		g_ptr_array_add(argv, g_strdup(*arg));
	g_ptr_array_add(argv, NULL);
	return argv;
}

static gboolean start_helper(
        Child *child, const ChildSpec *spec, const int write_ends[N_PIPES], int release_read, GError **error)
{
	g_autofree char *helper = helper_program_path("firebreak-spawn", error);
	if (helper == NULL)
		return FALSE;
	/* descriptors that the helper inherits; all others of ours are close-on-exec */
	enum { REPORT_FD = 3, RELEASE_FD = 4 };
	g_autoptr(GPtrArray) argv = helper_argv(helper, spec, child->grace_ms, REPORT_FD, RELEASE_FD);
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	if (!spec->pass_io) {
		const char *input = spec->input != NULL ? spec->input : "/dev/null";
		posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
		posix_spawn_file_actions_adddup2(&actions, write_ends[PIPE_OUT], 1);
		posix_spawn_file_actions_adddup2(&actions, write_ends[PIPE_ERR], 2);
	}
	posix_spawn_file_actions_adddup2(&actions, write_ends[PIPE_REPORT], REPORT_FD);
	posix_spawn_file_actions_adddup2(&actions, release_read, RELEASE_FD);
	posix_spawn_file_actions_addclosefrom_np(&actions, RELEASE_FD + 1);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&attributes, &none);
	int failed =
	        posix_spawn(&child->helper, helper, &actions, &attributes, (char **)argv->pdata, (char **)spec->envp);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	if (failed != 0)
		return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, failed, "cannot start %s", helper);
	return TRUE;
}

/* Asking for a descriptor above the limit is EINVAL. */
static gboolean refuse_pipe(int failed, GError **error)
{
	if (failed == EINVAL || failed == EMFILE)
		return firebreak_set_errno(
		        error, FIREBREAK_ERROR_ENVIRONMENT, EMFILE, "cannot make a pipe; raise `ulimit -n`");
	return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, failed, "cannot make a pipe");
}

/* A pipe whose ends lie above the descriptors that the helper gets, so that dup2 there never hits one of them. */
static gboolean make_pipe(int ends[2], GError **error)
{
	int low[2], failed = 0;
	if (pipe2(low, O_CLOEXEC) != 0)
		return refuse_pipe(errno, error);
	for (int i = 0; i < 2; i++) {
		ends[i] = fcntl(low[i], F_DUPFD_CLOEXEC, 16);
		failed = ends[i] < 0 ? errno : failed;
		close(low[i]);
	}
	if (ends[0] >= 0 && ends[1] >= 0)
		return TRUE;
	close_fd(&ends[0]);
	close_fd(&ends[1]);
	return refuse_pipe(failed, error);
}

static void keep_tail(GString *tail, const char *data, gsize length, gsize keep)
{
	g_string_append_len(tail, data, length);
	/* It is cut only at twice the length, or each read of a talkative program would move all that is kept. */
	if (tail->len > 2 * keep)
		g_string_erase(tail, 0, tail->len - keep);
}

static ChildSchedule child_schedule(struct SpawnSchedule told)
{
	return (ChildSchedule){.policy = told.policy, .nice = told.nice, .on_cpus = told.on_cpus != 0};
}

static gboolean take_message(Child *child, GError **error)
{
	struct SpawnMessage message;
	gssize n = read(child->pipes[PIPE_REPORT], &message, sizeof message);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return TRUE;
	/* A message is smaller than PIPE_BUF, so it comes whole or not at all (pipe(7)). */
	if (n != sizeof message) {
		close_fd(&child->pipes[PIPE_REPORT]);
		return TRUE;
	}
	ChildResult *result = &child->result;
	switch (message.kind) {
	case SPAWN_READY:
		child->main = message.pid;
		result->fixed_addresses = message.fixed_addresses != 0;
		break;
	case SPAWN_FAILED:
		return firebreak_set_errno(error, FIREBREAK_ERROR_ENVIRONMENT, message.error,
		        "cannot set up the process (working folder or CPU set)");
	case SPAWN_EXEC_FAILED:
		result->exec_errno = message.error;
		break;
	case SPAWN_EXITED:
		child->main_ended = TRUE;
		result->end_ns = message.end_ns;
		result->exit_code = WIFEXITED(message.status) ? WEXITSTATUS(message.status) : -1;
		result->signal = WIFSIGNALED(message.status) ? WTERMSIG(message.status) : 0;
		result->user_ns = message.user_ns;
		result->system_ns = message.system_ns;
		result->switches = message.switches;
		result->faults = message.faults;
		result->max_rss_bytes = message.max_rss_bytes;
		result->began = child_schedule(message.began);
		result->ended = child_schedule(message.ended);
		break;
	case SPAWN_DONE:
		child->done = TRUE;
		result->orphans = message.orphans;
		result->orphans_killed = message.orphans_killed;
		result->orphan_cpu_ns = message.orphan_cpu_ns;
		break;
	}
	return TRUE;
}

static void drain(Child *child, int which)
{
	char buffer[16384];
	gssize n = read(child->pipes[which], buffer, sizeof buffer);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close_fd(&child->pipes[which]);
		return;
	}
	gboolean out = which == PIPE_OUT;
	*(out ? &child->result.out_bytes : &child->result.err_bytes) += (guint64)n;
	keep_tail(out ? child->result.out : child->result.err, buffer, (gsize)n, child->keep_bytes);
}

static gboolean is_ready(Child *child, GError **error)
{
	/* The pipes still block here: there is nothing else to do until the process can be attached to. */
	while (child->main == 0 && child->pipes[PIPE_REPORT] >= 0)
		if (!take_message(child, error))
			return FALSE;
	if (child->main != 0)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, FIREBREAK_ERROR_ENVIRONMENT, "firebreak-spawn ended before it was ready");
	return FALSE;
}

Child *child_prepare(const ChildSpec *spec, GError **error)
{
	g_autoptr(Child) child = g_new0(Child, 1);
	int write_ends[N_PIPES] = {-1, -1, -1}, release_read = -1;
	child->release_fd = -1;
	child->keep_bytes = spec->keep_bytes > 0 ? spec->keep_bytes : DEFAULT_KEEP_BYTES;
	child->timeout_ms = spec->timeout_ms;
	child->grace_ms = spec->grace_ms > 0 ? spec->grace_ms : DEFAULT_GRACE_MS;
	child->result.out = g_string_new(NULL);
	child->result.err = g_string_new(NULL);
	gboolean ok = TRUE;
	for (int i = 0; i < N_PIPES; i++) {
		int ends[2] = {-1, -1};
		ok = ok && make_pipe(ends, error);
		child->pipes[i] = ends[0];
		write_ends[i] = ends[1];
	}
	int release[2] = {-1, -1};
	ok = ok && make_pipe(release, error);
	release_read = release[0];
	child->release_fd = release[1];
	ok = ok && start_helper(child, spec, write_ends, release_read, error);
	for (int i = 0; i < N_PIPES; i++)
		close_fd(&write_ends[i]);
	close_fd(&release_read);
	if (!ok || !is_ready(child, error))
		return NULL;
	for (int i = 0; i < N_PIPES; i++)
		g_unix_set_fd_nonblocking(child->pipes[i], TRUE, NULL);
	return g_steal_pointer(&child);
}

pid_t child_pid(const Child *child)
{
	return child->main;
}

void child_release(Child *child)
{
	child->result.start_ns = clock_now_ns();
	while (write(child->release_fd, "g", 1) < 0 && errno == EINTR)
		;
	close_fd(&child->release_fd);
}

static void terminate(Child *child)
{
	if (child->terminated_ns != 0 || child->helper == 0)
		return;
	child->terminated_ns = clock_now_ns();
	close_fd(&child->release_fd);
	kill(child->helper, SIGTERM);
}

static void check_deadline(Child *child)
{
	gint64 now = clock_now_ns();
	if (child->done)
		return;
	if (child->timeout_ms > 0 && !child->main_ended && child->terminated_ns == 0 &&
	        now - child->result.start_ns > child->timeout_ms * 1000000) {
		child->result.timed_out = TRUE;
		terminate(child);
	}
	/* a process in uninterruptible sleep, or of another user, cannot be ended nor waited for */
	gint64 since = child->terminated_ns != 0 ? child->terminated_ns
	               : child->main_ended       ? child->result.end_ns
	                                         : now;
	if (now - since > child->grace_ms * 1000000 + KILL_AFTER_NS) {
		child->abandoned = TRUE;
		kill(child->helper, SIGKILL);
	}
}

/* The duties of one wait, and which watches are still looked at. */
typedef struct {
	ChildDuties duties;
	gboolean *is_over;
} Wait;

/* `fds` are those of the wait's watches. */
static gboolean serve_watches(const Wait *wait, const struct pollfd *fds, GError **error)
{
	for (guint w = 0; w < wait->duties.n_watches; w++) {
		const ChildWatch *watch = &wait->duties.watches[w];
		gboolean readable = (fds[w].revents & POLLIN) != 0;
		if (readable && !watch->ready(watch->data, error))
			return FALSE;
		/* what was written before the other end went is still to be read */
		wait->is_over[w] |= !readable && (fds[w].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
	}
	return TRUE;
}

static gboolean serve_children(Child *const *children, guint n, const struct pollfd *fds, GError **error)
{
	for (guint c = 0; c < n; c++)
		for (int p = 0; p < N_PIPES; p++) {
			if (fds[c * N_PIPES + p].revents == 0)
				continue;
			if (p != PIPE_REPORT)
				drain(children[c], p);
			else if (!take_message(children[c], error))
				return FALSE;
		}
	return TRUE;
}

/* One poll over the pipes of all children and the watches. *more is set to whether one of them has not ended. FALSE on
 * an error. */
static gboolean poll_children(Child *const *children, guint n, const Wait *wait, gboolean *more, GError **error)
{
	guint n_pipes = n * N_PIPES, n_fds = n_pipes + wait->duties.n_watches;
	g_autofree struct pollfd *fds = g_new0(struct pollfd, n_fds);
	*more = FALSE;
	for (guint c = 0; c < n; c++)
		for (int p = 0; p < N_PIPES; p++) {
			gboolean wanted = !children[c]->done || p == PIPE_REPORT;
			fds[c * N_PIPES + p] =
			        (struct pollfd){.fd = wanted ? children[c]->pipes[p] : -1, .events = POLLIN};
			*more = *more || (p == PIPE_REPORT && children[c]->pipes[p] >= 0 && !children[c]->done);
		}
	for (guint w = 0; w < wait->duties.n_watches; w++)
		fds[n_pipes + w] =
		        (struct pollfd){.fd = wait->is_over[w] ? -1 : wait->duties.watches[w].fd, .events = POLLIN};
	if (!*more || poll(fds, n_fds, TICK_MS) <= 0)
		return TRUE;
	return serve_children(children, n, fds, error) && serve_watches(wait, fds + n_pipes, error);
}

/* Reads the rest of the output pipes after the last process has gone. Reading never blocks, so a process outside the
 * tree that holds a descriptor cannot keep us here. */
static void drain_rest(Child *child)
{
	for (int p = PIPE_OUT; p <= PIPE_ERR; p++)
		for (guint64 before = G_MAXUINT64; child->pipes[p] >= 0;) {
			guint64 now = child->result.out_bytes + child->result.err_bytes;
			if (now == before)
				break;
			before = now;
			drain(child, p);
		}
	GString *tails[] = {child->result.out, child->result.err};
	for (gsize i = 0; i < G_N_ELEMENTS(tails); i++)
		if (tails[i]->len > child->keep_bytes)
			g_string_erase(tails[i], 0, tails[i]->len - child->keep_bytes);
}

static void reap(Child *child)
{
	if (child->helper == 0)
		return;
	while (waitpid(child->helper, NULL, 0) < 0 && errno == EINTR)
		;
	child->helper = 0;
}

gboolean child_wait_all(Child *const *children, guint n, const ChildDuties *duties, GError **error)
{
	g_autoptr(GError) problem = NULL;
	g_autofree gboolean *is_over = g_new0(gboolean, duties != NULL ? duties->n_watches + 1 : 1);
	const Wait wait = {.duties = duties != NULL ? *duties : (ChildDuties){0}, .is_over = is_over};
	for (;;) {
		GError *failed = NULL;
		gboolean more = TRUE;
		if (poll_children(children, n, &wait, &more, &failed) && wait.duties.tick != NULL)
			wait.duties.tick(wait.duties.data, &failed);
		if (failed == NULL)
			cancel_check(&failed);
		if (failed != NULL) {
			for (guint c = 0; c < n; c++)
				terminate(children[c]);
			if (problem == NULL)
				problem = failed;
			else
				g_error_free(failed);
		}
		if (!more && failed == NULL)
			break;
		if (!more && problem != NULL)
			break;
		for (guint c = 0; c < n; c++)
			check_deadline(children[c]);
	}
	for (guint c = 0; c < n; c++) {
		reap(children[c]);
		drain_rest(children[c]);
		if (problem == NULL && children[c]->abandoned)
			g_set_error(&problem, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "it left a process behind that cannot be ended");
		if (problem == NULL && !children[c]->main_ended)
			g_set_error(&problem, FIREBREAK_ERROR, FIREBREAK_ERROR_INVALID,
			        "the process tree could not be watched to its end");
	}
	if (problem == NULL)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&problem));
	return FALSE;
}

const ChildResult *child_result(const Child *child)
{
	return &child->result;
}

/* A shell exits with 128 and the number of the signal that ended its command. */
static char *exit_words(int exit_code)
{
	const char *name = exit_code > 128 ? sigabbrev_np(exit_code - 128) : NULL;
	if (name == NULL)
		return g_strdup_printf("exited with %d", exit_code);
	return g_strdup_printf("exited with %d: SIG%s (128+%d)", exit_code, name, exit_code - 128);
}

char *child_describe_failure(const ChildResult *result)
{
	if (result->exec_errno != 0)
		return g_strdup_printf("could not be started: %s", g_strerror(result->exec_errno));
	if (result->timed_out)
		return g_strdup_printf("timed out after %.1f s", (double)(result->end_ns - result->start_ns) / 1e9);
	if (result->signal != 0)
		return g_strdup_printf(
		        "killed by SIG%s (%s)", sigabbrev_np(result->signal), g_strsignal(result->signal));
	if (result->exit_code != 0)
		return exit_words(result->exit_code);
	return NULL;
}

Child *child_run(const ChildSpec *spec, GError **error)
{
	g_autoptr(Child) child = child_prepare(spec, error);
	if (child == NULL)
		return NULL;
	child_release(child);
	if (!child_wait_all(&child, 1, NULL, error))
		return NULL;
	return g_steal_pointer(&child);
}

void child_free(Child *child)
{
	if (child == NULL)
		return;
	if (child->helper != 0) {
		const Wait no_duties = {0};
		gboolean more = TRUE;
		terminate(child);
		while (poll_children(&child, 1, &no_duties, &more, NULL) && more)
			check_deadline(child);
		reap(child);
	}
	for (int i = 0; i < N_PIPES; i++)
		close_fd(&child->pipes[i]);
	close_fd(&child->release_fd);
	g_string_free(child->result.out, TRUE);
	g_string_free(child->result.err, TRUE);
	g_free(child);
}
