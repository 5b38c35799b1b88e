/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/record/control.h"

#include "core/clock.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_LINE (CONTROL_LINE_BYTES - 1)
#define READ_BYTES 1024
/* The most that a pipe can hold for an unprivileged process; what is beyond was written by nobody we know. */
#define MAX_REST_BYTES (1 << 20)

struct Control {
	char *command_path, *answer_path;
	int command_fd, answer_fd;
	ControlSwitch turn;
	gpointer data;
	char line[MAX_LINE]; /* what has come of the present line */
	gsize length;
	gboolean too_long;
	Control *partner; /* to meet at the first "enable"; NULL = nobody, or met */
	gboolean waiting;
	gint64 waiting_since_ns;
	gboolean on;
	gint64 on_since_ns;
	ControlFacts facts;
};

/* Open in both directions: then it opens at once, and there is no end of file when a program has closed its end. */
static int make_pipe(const char *path, GError **error)
{
	struct stat status;
	int fd = -1;
	if (mkfifo(path, 0600) == 0)
		fd = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISFIFO(status.st_mode))
		return fd;
	firebreak_set_errno(error, FIREBREAK_ERROR_STORAGE, errno, "cannot make the pipe %s", path);
	if (fd >= 0)
		close(fd);
	return -1;
}

Control *control_new(const char *dir, ControlSwitch turn, gpointer data, GError **error)
{
	g_autoptr(Control) control = g_new0(Control, 1);
	*control = (Control){
	        .command_path = g_build_filename(dir, "ctl", NULL),
	        .answer_path = g_build_filename(dir, "ack", NULL),
	        .command_fd = -1,
	        .answer_fd = -1,
	        .turn = turn,
	        .data = data,
	};
	control->command_fd = make_pipe(control->command_path, error);
	if (control->command_fd < 0)
		return NULL;
	control->answer_fd = make_pipe(control->answer_path, error);
	return control->answer_fd < 0 ? NULL : g_steal_pointer(&control);
}

/* They meet once, or not at all. */
static void part(Control *control)
{
	if (control->partner != NULL)
		control->partner->partner = NULL;
	control->partner = NULL;
}

void control_free(Control *control)
{
	if (control == NULL)
		return;
	part(control);
	if (control->command_fd >= 0)
		close(control->command_fd);
	if (control->answer_fd >= 0)
		close(control->answer_fd);
	g_free(control->command_path);
	g_free(control->answer_path);
	g_free(control);
}

const char *control_command_path(const Control *control)
{
	return control->command_path;
}

const char *control_answer_path(const Control *control)
{
	return control->answer_path;
}

void control_meet(Control *one, Control *other)
{
	one->partner = other;
	other->partner = one;
}

gint64 control_waiting_ns(const Control *control)
{
	return control->waiting ? clock_now_ns() - control->waiting_since_ns : -1;
}

/* A pipe that is full holds answers that nobody reads; one more would not be read, either. */
static void answer(const Control *control, const char *text)
{
	while (write(control->answer_fd, text, strlen(text)) < 0 && errno == EINTR)
		;
}

static gboolean switch_on(Control *control, GError **error)
{
	control->waiting = FALSE;
	if (control->on)
		return TRUE;
	if (!control->turn(control->data, TRUE, error))
		return FALSE;
	control->on = TRUE;
	control->on_since_ns = clock_now_ns();
	if (control->facts.first_ns == 0)
		control->facts.first_ns = control->on_since_ns;
	return TRUE;
}

static void add_time(Control *control, gint64 end_ns)
{
	control->facts.end_ns = MAX(end_ns, control->on_since_ns);
	control->facts.enabled_ns += (guint64)(control->facts.end_ns - control->on_since_ns);
	control->on = FALSE;
}

static gboolean switch_off(Control *control, gint64 at_ns, GError **error)
{
	if (!control->on)
		return TRUE;
	add_time(control, at_ns);
	return control->turn(control->data, FALSE, error);
}

gboolean control_go_on(Control *control, GError **error)
{
	if (!control->waiting)
		return TRUE;
	part(control);
	if (!switch_on(control, error))
		return FALSE;
	answer(control, "ack\n");
	return TRUE;
}

/* Both are switched on before either is told. */
static gboolean start_both(Control *control, Control *partner, GError **error)
{
	part(control);
	if (!switch_on(control, error) || !switch_on(partner, error))
		return FALSE;
	answer(partner, "ack\n");
	answer(control, "ack\n");
	return TRUE;
}

static gboolean enable(Control *control, GError **error)
{
	Control *partner = control->partner;
	if (partner != NULL && partner->waiting)
		return start_both(control, partner, error);
	control->waiting = TRUE;
	control->waiting_since_ns = clock_now_ns();
	return partner != NULL ? TRUE : control_go_on(control, error);
}

/* `at_ns` is when the command was read. */
static gboolean obey(Control *control, const char *command, gint64 at_ns, GError **error)
{
	/* one that says more does not wait for the answer, so there is no use in making it wait */
	if (!control_go_on(control, error))
		return FALSE;
	if (g_str_equal(command, "enable"))
		return enable(control, error);
	gboolean known = g_str_equal(command, "ping") || g_str_equal(command, "disable");
	if (g_str_equal(command, "disable") && !switch_off(control, at_ns, error))
		return FALSE;
	if (!known && control->facts.unknown_commands++ == 0)
		g_strlcpy(control->facts.first_unknown, command, CONTROL_LINE_BYTES);
	answer(control, known ? "ack\n" : "error\n");
	return TRUE;
}

static gboolean end_line(Control *control, gint64 at_ns, GError **error)
{
	g_autofree char *command = control->too_long ? g_strdup("") : g_strndup(control->line, control->length);
	gboolean empty = control->length == 0 && !control->too_long;
	control->length = 0;
	control->too_long = FALSE;
	return empty || obey(control, command, at_ns, error);
}

static gboolean take(Control *control, const char *bytes, gsize n, gint64 at_ns, GError **error)
{
	for (gsize i = 0; i < n; i++) {
		gboolean end = bytes[i] == '\n' || bytes[i] == '\0';
		if (end && !end_line(control, at_ns, error))
			return FALSE;
		if (!end && control->length < MAX_LINE)
			control->line[control->length++] = bytes[i];
		else if (!end)
			control->too_long = TRUE;
	}
	return TRUE;
}

/* One piece of what has come; *n is its size, 0 if there is nothing more. Switched off is at `latest_ns` at the latest.
 */
static gboolean read_piece(Control *control, gint64 latest_ns, gsize *n, GError **error)
{
	char bytes[READ_BYTES];
	gssize got = read(control->command_fd, bytes, sizeof bytes);
	*n = got > 0 ? (gsize)got : 0;
	return take(control, bytes, *n, MIN(clock_now_ns(), latest_ns), error);
}

static gboolean serve(gpointer data, GError **error)
{
	gsize n;
	return read_piece(data, G_MAXINT64, &n, error);
}

ChildWatch control_watch(Control *control)
{
	return (ChildWatch){.fd = control->command_fd, .ready = serve, .data = control};
}

gboolean control_finish(Control *control, gint64 end_ns, ControlFacts *facts, GError **error)
{
	gsize n = 1;
	for (gsize total = 0; n > 0 && total < MAX_REST_BYTES; total += n)
		if (!read_piece(control, end_ns, &n, error))
			return FALSE;
	if (control->on) {
		control->facts.left_on = TRUE;
		if (!switch_off(control, end_ns, error))
			return FALSE;
	}
	*facts = control->facts;
	return TRUE;
}
