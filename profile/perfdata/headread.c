/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/perfdata/headread.h"

#include "core/error.h"
#include "profile/perfdata/perfdata.h"

#include <stdio.h>
#include <string.h>

#define MAGIC_BYTES 8

static RecordingHead *head_of(const PerfDataSummary *summary)
{
	RecordingHead *head = recording_head_new();
	head->host = g_strdup(summary->host);
	head->kernel_release = g_strdup(summary->kernel_release);
	head->machine = g_strdup(summary->machine);
	head->command = g_strdup(summary->command);
	for (guint i = 0; i < summary->events->len; i++) {
		const PerfDataEvent *event = &g_array_index(summary->events, PerfDataEvent, i);
		if (event->samples > 0)
			recording_head_add_event(head, event->name, event->samples);
	}
	return head;
}

/* Takes the head and ends the reading: the records are not wanted. */
static gboolean take_head(gpointer data, const PerfDataSummary *summary, GError **error)
{
	*(RecordingHead **)data = head_of(summary);
	return firebreak_refuse(error, FIREBREAK_ERROR_INVALID, "only the head was asked for");
}

/* A recording of a file or of a pipe begins with PERFILE2, of the other order of bytes with 2ELIFREP. */
static gboolean is_recording(const char *path)
{
	char magic[MAGIC_BYTES] = "";
	FILE *file = g_file_test(path, G_FILE_TEST_IS_REGULAR) ? fopen(path, "rbe") : NULL;
	if (file == NULL)
		return FALSE;
	gboolean whole = fread(magic, sizeof magic, 1, file) == 1;
	fclose(file);
	return whole && (memcmp(magic, "PERFILE2", sizeof magic) == 0 || memcmp(magic, "2ELIFREP", sizeof magic) == 0);
}

RecordingHead *head_read(const char *path)
{
	static const PerfDataVisitor visitor = {.begin = take_head};
	RecordingHead *head = NULL;
	if (is_recording(path))
		perfdata_read(path, &visitor, &head, NULL, NULL);
	return head;
}
