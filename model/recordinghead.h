/* SPDX-License-Identifier: Apache-2.0 */
/* The head of a recording (perf.data): where and of what it was made, and which events it has; what a reader of a
 * report must know before the numbers. */
#pragma once

#include <glib.h>

typedef struct {
	char *name;
	guint64 samples;
} RecordedEvent;

typedef struct {
	char *host, *kernel_release, *machine; /* NULL = not told */
	char *command;                         /* of the recorder, with its arguments; NULL = not told */
	GArray *events;                        /* of RecordedEvent: those with samples, in the order of the file */
} RecordingHead;

/* A head that tells nothing yet. Owned by the caller, as are its texts by the head. */
RecordingHead *recording_head_new(void);
void recording_head_free(RecordingHead *head);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RecordingHead, recording_head_free)
/* Adds an event; the name is copied. */
void recording_head_add_event(RecordingHead *head, const char *name, guint64 samples);
