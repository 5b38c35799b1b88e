/* SPDX-License-Identifier: Apache-2.0 */
/* Tells where the source files of a check's functions come from: the commit of their side, a submodule of it, its
 * build, or elsewhere. So no one is sent to a file that is not there, and code that the build made is not taken for
 * code that the change leaves alone. */
#pragma once

#include "gate/steps/gatestate.h"
#include "model/codefacts.h"

/* Sets the origin of every place in `code`, whose frames are of `table`, by the trees of the sides that were chosen.
 * One that cannot be looked up stays unknown. */
void gate_sources_mark(const Gate *gate, const Choice *choices, const StackTable *table, CodeFacts *code);
