/* SPDX-License-Identifier: Apache-2.0 */
/* The output of `perf script` folded as stackcollapse-perf.pl does it, losses included: for comparing with results that
 * were made with that script. Everybody else wants profile/perfscript/perfscript.h.
 *
 * Known losses of these rules: the last sample of a text that does not end in an empty line, everything of a text
 * without call chains, the middle of names that have a `(` in their template arguments, quotes in names. Samples of
 * events other than the first or the chosen one are dropped without a word, but those with text after the event are
 * always kept, with weight 1. `samples` counts them as 1, too.
 *
 * Names may hold what folded text cannot: write them with FOLDED_AS_IS for the bytes of the script. */
#pragma once

#include "profile/perfscript/perfscript.h"

/* Adds the text to run `run` of `profile`. Of the options, those that the script has are followed (`event`, an exact
 * name, `root_pid`, `root_tid`, `addresses`, `annotate_kernel`, `annotate_jit`). *event is set to the name of the event
 * that was followed, "" if no line names one; owned by the caller. Errors: FIREBREAK_ERROR_USAGE if nothing is left. */
gboolean stackcollapse_read(const char *text, gsize length, const char *name, const PerfScriptOptions *options,
        Profile *profile, guint run, char **event, GError **error);
