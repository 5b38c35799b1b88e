/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output/stderrtalk.h"

#include "cli/output/rendering.h"

#include <stdio.h>
#include <unistd.h>

static gboolean print(const char *text)
{
	return fputs(text, stderr) >= 0 && fflush(stderr) == 0;
}

void talk_on_stderr(Talk *talk, TalkLevel level)
{
	talk_init(talk, level, isatty(STDERR_FILENO) == 1, print);
	talk->width = talk->terminal ? descriptor_width(STDERR_FILENO) : 0;
}

void talk_findings(const FindingList *findings, TalkLevel level)
{
	Talk talk;
	talk_on_stderr(&talk, level);
	for (guint i = 0; i < finding_count(findings); i++) {
		const Finding *finding = finding_get(findings, i);
		g_autofree char *line =
		        g_strdup_printf("%s: %s", finding_severity_name(finding->severity), finding->text);
		talk_line(&talk, line);
	}
	talk_clear(&talk);
}
