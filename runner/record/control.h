/* SPDX-License-Identifier: Apache-2.0 */
/* The switch in a benchmark's own hand: measure from here, up to here.
 *
 *     benchmark   ── "enable\n" ──>  command pipe  ──>  switches measuring on
 *                 <── "ack\n" ────   answer pipe   <──  when it is on
 *
 * The protocol is that of `perf record --control fifo:CTL,ACK` and `perf stat` (perf-record(1)), so a program that can
 * be measured here can be measured there: "enable", "disable" and "ping", each a line, each answered "ack". Any other
 * line is answered "error" and counted.
 *
 * Both runs of a co-scheduled round should do what is measured at the same time, whatever their set-up costs. So the
 * two controls can be made to meet: the first "enable" of either is answered when the other has asked, too.
 *
 * The program at the other end is foreign: lines are short, reading and writing never wait, and an answer that nobody
 * reads is dropped once the pipe is full. Times are CLOCK_MONOTONIC nanoseconds. */
#pragma once

#include "core/child.h"

typedef struct Control Control;

/* Room for the longest line, and the NUL. */
#define CONTROL_LINE_BYTES 65

/* Switches measuring on or off. */
typedef gboolean (*ControlSwitch)(gpointer data, gboolean on, GError **error);

/* The use that the benchmark made of it. */
typedef struct {
	guint64 enabled_ns;      /* how long measuring was on, in all */
	gint64 first_ns, end_ns; /* first switched on, last switched off; 0 = never */
	guint unknown_commands;
	char first_unknown[CONTROL_LINE_BYTES]; /* the first of them, foreign text; "" if it was too long */
	gboolean left_on;                       /* it was still on when the main process ended */
} ControlFacts;

/* Makes both pipes, `ctl` and `ack`, in the folder `dir`. `turn` is called with `data` when measuring is to be
 * switched. Errors: FIREBREAK_ERROR_STORAGE. */
Control *control_new(const char *dir, ControlSwitch turn, gpointer data, GError **error);
void control_free(Control *control);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Control, control_free)

/* Paths for the benchmark; borrowed. */
const char *control_command_path(const Control *control);
/* The path of the pipe for answers; borrowed. */
const char *control_answer_path(const Control *control);

/* The two wait for each other at their first "enable". */
void control_meet(Control *one, Control *other);
/* Nanoseconds for which it has been waiting for the other; -1 = it does not wait. */
gint64 control_waiting_ns(const Control *control);
/* Waits no longer: the other run has ended, or takes too long. */
gboolean control_go_on(Control *control, GError **error);

/* For child_wait_all(): serves what comes in. */
ChildWatch control_watch(Control *control);
/* Serves what is left after all processes have ended; the main process did at `end_ns`. */
gboolean control_finish(Control *control, gint64 end_ns, ControlFacts *facts, GError **error);
