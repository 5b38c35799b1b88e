/* SPDX-License-Identifier: Apache-2.0 */
/* The edits of the change where measured code stands (compare/source/changedcode.h), found while a check goes on: each
 * list of functions says, as long as it is known where they stand, which of them the change touches; when all
 * benchmarks are through, the hunks are read from git.
 *
 * Nothing of it changes a verdict: what cannot be read is a note of its file. */
#pragma once

#include "gate/steps/gatestate.h"

/* Remembers the touched functions of a comparison. */
void gate_change_collect(const Gate *gate, const TouchedQuery *query);
/* Sets `changed` of the result; not for base against base, nor where the change is not known. */
void gate_change_report(Gate *gate);
