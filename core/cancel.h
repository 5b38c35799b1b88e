/* SPDX-License-Identifier: Apache-2.0 */
/* Cancellation by a signal: SIGINT, SIGTERM and SIGHUP only set a flag; whoever waits looks at it and unwinds. */
#pragma once

#include <glib.h>

/* Installs the handlers, once at the start of the program. A signal that is ignored stays ignored. */
void cancel_install(void);
/* The signal that arrived first, 0 if none. */
int cancel_signal(void);
/* FALSE and an error with code 128 + signal if one arrived. */
gboolean cancel_check(GError **error);
