/* SPDX-License-Identifier: Apache-2.0 */
#include "core/cancel.h"

#include "core/error.h"

#include <signal.h>
#include <string.h>

static volatile sig_atomic_t arrived;

static void note_signal(int signal_number)
{
	if (arrived == 0)
		arrived = signal_number;
}

void cancel_install(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	for (gsize i = 0; i < G_N_ELEMENTS(signals); i++) {
		struct sigaction old, action = {.sa_handler = note_signal};
		/* A signal that was ignored when firebreak was started, as by nohup, stays ignored. */
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &action, NULL);
	}
}

int cancel_signal(void)
{
	return arrived;
}

gboolean cancel_check(GError **error)
{
	if (arrived == 0)
		return TRUE;
	g_set_error(error, FIREBREAK_ERROR, 128 + arrived, "cancelled by SIG%s", sigabbrev_np(arrived));
	return FALSE;
}
