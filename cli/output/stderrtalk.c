#include "cli/output/stderrtalk.h"

#include <stdio.h>
#include <unistd.h>

static gboolean print(const char *text)
{
	return fputs(text, stderr) >= 0 && fflush(stderr) == 0;
}

void talk_on_stderr(Talk *talk, TalkLevel level)
{
	talk_init(talk, level, isatty(STDERR_FILENO) == 1, print);
}
