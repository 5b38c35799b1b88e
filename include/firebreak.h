/* SPDX-License-Identifier: Apache-2.0 */
/* For benchmarks: say what is to be measured, and report figures of your own. See docs/REGION.md.
 *
 *     prepare();
 *     firebreak_enable();                                     measuring starts here
 *     work();
 *     firebreak_disable();                                    and ends here
 *     firebreak_metric("latency-p99", 812.5, "us", FIREBREAK_LOWER);
 *     firebreak_work(20000);                                  units of work of this run (`work: reported`)
 *
 * Outside of firebreak nothing of this does anything, so the program runs as it always did. firebreak_enable() and
 * firebreak_disable() speak the control protocol of perf (perf-record(1), --control): with FIREBREAK_CTL_FIFO and
 * FIREBREAK_ACK_FIFO naming its pipes, perf measures the same region.
 *
 * Under valgrind (FIREBREAK_VALGRIND is set) they switch callgrind instead, for the thread that calls them. That takes
 * valgrind's own header, <valgrind/callgrind.h>, while this one is compiled; it is used where it is found, unless
 * FIREBREAK_NO_VALGRIND is defined. Without it, a region cannot be measured under valgrind.
 *
 * C99 and C++11; needs nothing but libc. Every function returns 0, or -1 with errno if the other side is gone or did
 * not take it; all may be called from any thread. Nothing is kept open between two calls. */
#ifndef FIREBREAK_H
#define FIREBREAK_H

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if !defined(FIREBREAK_NO_VALGRIND) && defined(__GNUC__) && defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define FIREBREAK_HAS_VALGRIND 1
#endif
#endif

#define FIREBREAK_LOWER "lower"   /* less is better: latency, memory */
#define FIREBREAK_HIGHER "higher" /* more is better: throughput */

#ifdef O_CLOEXEC
#define FIREBREAK_CLOEXEC O_CLOEXEC
#else
#define FIREBREAK_CLOEXEC 0
#endif

/* Writes a line as one piece, so that lines of several threads or processes do not mix. */
static inline int firebreak_write_line(int fd, const char *line)
{
	ssize_t n;
	do
		n = write(fd, line, strlen(line));
	while (n < 0 && errno == EINTR);
	return n == (ssize_t)strlen(line) ? 0 : -1;
}

/* Waits for one line of the answer pipe. perf ends its lines with a NUL, too, which may be left from the answer before.
 */
static inline int firebreak_read_answer(int fd)
{
	char answer[8] = "";
	size_t n = 0;
	for (;;) {
		struct pollfd end;
		char c = 0;
		ssize_t got = read(fd, &c, 1);
		end.fd = fd;
		end.events = POLLIN;
		end.revents = 0;
		if (got == 1 && c == '\n')
			break;
		if (got == 1 && c != '\0' && n + 1 < sizeof answer)
			answer[n++] = c;
		if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) {
			errno = got == 0 ? EPIPE : errno;
			return -1;
		}
		if (got < 0 && poll(&end, 1, -1) < 0 && errno != EINTR)
			return -1;
	}
	if (strcmp(answer, "ack") == 0)
		return 0;
	errno = EPROTO;
	return -1;
}

/* Sends a command and waits until it has been obeyed. */
static inline int firebreak_command(const char *line)
{
	const char *commands = getenv("FIREBREAK_CTL_FIFO"), *answers = getenv("FIREBREAK_ACK_FIFO");
	int command_fd, answer_fd = -1, result;
	if (commands == NULL || *commands == '\0')
		return 0;
	/* without a reader this fails instead of waiting for one */
	command_fd = open(commands, O_WRONLY | O_NONBLOCK | FIREBREAK_CLOEXEC);
	if (command_fd < 0)
		return -1;
	if (answers != NULL && *answers != '\0')
		answer_fd = open(answers, O_RDONLY | O_NONBLOCK | FIREBREAK_CLOEXEC);
	result = answers != NULL && *answers != '\0' && answer_fd < 0 ? -1 : firebreak_write_line(command_fd, line);
	if (result == 0 && answer_fd >= 0)
		result = firebreak_read_answer(answer_fd);
	if (answer_fd >= 0)
		close(answer_fd);
	close(command_fd);
	return result;
}

#ifdef FIREBREAK_HAS_VALGRIND
/* TRUE if callgrind counts this thread. It is kept here because callgrind cannot be asked. One for the program and its
 * shared libraries; plugins share it only if the program is linked with -rdynamic. */
__attribute__((weak, visibility("default"))) __thread int firebreak_counting;

/* Makes callgrind count this thread, or not; 0 if it is not there. What is done while it counts is counted, too. */
static inline int firebreak_count(int on)
{
	if (!firebreak_counting && getenv("FIREBREAK_VALGRIND") == NULL)
		return 0;
	if (firebreak_counting != on) {
		firebreak_counting = on;
		CALLGRIND_TOGGLE_COLLECT;
	}
	return 1;
}
#else
static inline int firebreak_count(int on)
{
	return on & 0;
}
#endif

/* Switches measuring on for what comes after it. */
static inline int firebreak_enable(void)
{
	return firebreak_count(1) ? 0 : firebreak_command("enable\n");
}

/* Switches measuring off for what comes after it. */
static inline int firebreak_disable(void)
{
	return firebreak_count(0) ? 0 : firebreak_command("disable\n");
}

/* Appends a line to the file of metrics. */
static inline int firebreak_report(const char *line)
{
	const char *path = getenv("FIREBREAK_METRICS");
	int fd, result;
	if (path == NULL || *path == '\0')
		return 0;
	fd = open(path, O_WRONLY | O_CREAT | O_APPEND | FIREBREAK_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	result = firebreak_write_line(fd, line);
	close(fd);
	return result;
}

/* The number with a decimal point, whatever the locale has in its place. */
static inline int firebreak_format(char text[40], double value)
{
	char *c;
	if (value - value != 0) { /* infinite, or no number */
		errno = EINVAL;
		return -1;
	}
	snprintf(text, 40, "%.17g", value);
	for (c = text; *c != '\0'; c++)
		if (strchr("0123456789+-e", *c) == NULL)
			*c = '.';
	return 0;
}

/* Reports a metric of this run, once: a name of a-z, 0-9 and `-`, its value and unit, and FIREBREAK_LOWER or
 * FIREBREAK_HIGHER for which direction is better. */
static inline int firebreak_metric(const char *name, double value, const char *unit, const char *better)
{
	char number[40], line[160];
	int n;
	if (firebreak_format(number, value) != 0)
		return -1;
	n = snprintf(line, sizeof line, "%s %s %s %s\n", name, number, unit, better);
	if (n > 0 && (size_t)n < sizeof line)
		return firebreak_report(line);
	errno = EINVAL;
	return -1;
}

/* Reports, once, how many units of work this run did. Costs are compared per unit. Only for benchmarks whose
 * configuration says `work: reported`: a run of any other one that calls this is invalid. */
static inline int firebreak_work(double units)
{
	char number[40], line[64];
	if (firebreak_format(number, units) != 0)
		return -1;
	snprintf(line, sizeof line, "work %s\n", number);
	return firebreak_report(line);
}

#endif
