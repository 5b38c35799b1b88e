/* SPDX-License-Identifier: Apache-2.0 */
#include "model/recordinghead.h"

static void event_clear(gpointer event)
{
	g_free(((RecordedEvent *)event)->name);
}

RecordingHead *recording_head_new(void)
{
	RecordingHead *head = g_new0(RecordingHead, 1);
	head->events = g_array_new(FALSE, FALSE, sizeof(RecordedEvent));
	g_array_set_clear_func(head->events, event_clear);
	return head;
}

void recording_head_free(RecordingHead *head)
{
	if (head == NULL)
		return;
	g_free(head->host);
	g_free(head->kernel_release);
	g_free(head->machine);
	g_free(head->command);
	g_array_unref(head->events);
	g_free(head);
}

void recording_head_add_event(RecordingHead *head, const char *name, guint64 samples)
{
	const RecordedEvent event = {g_strdup(name), samples};
	g_array_append_val(head->events, event);
}
