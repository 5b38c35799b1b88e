/* SPDX-License-Identifier: Apache-2.0 */
/* A bisection from its question to its outcome.
 *
 *     bad against good          always measured; settles what is looked for, and with what certainty good's counts are
 *                               known here; no regression ends it
 *     commits between them      the plan (compare/bisect/bisectplan.h) says which; each against good, so that
 *                               the effect is the same everywhere, or against where it branched off, if that was
 *                               before good. Stored counts answer before a measurement does
 *     culprit against parent    always measured, with its report in the output folder
 *
 * Every answer is kept in a file (gate/bisect/bisectstate.h) before the next question. */
#pragma once

#include "gate/bisect/bisectmeasure.h"
#include "gate/bisect/bisectrequest.h"

/* Runs it to its end. Owned by the caller. Errors: those of a check that ends all (gate/bisect/bisectmeasure.h), of bad
 * or good that cannot be measured, and of the repository. What was answered until then is kept. */
BisectLog *bisect_run(const BisectRequest *request, GError **error);
