/* SPDX-License-Identifier: Apache-2.0 */
/* Writer of pprof profiles: the protocol buffer of https://github.com/google/pprof (profile.proto), compressed by gzip.
 *
 * Sample types are `samples` in `count`, and the cost under the name of its event in its unit; only one of them if the
 * profile has no more. The cost is the last, which viewers show by default. Functions inlined into another are lines of
 * that one's location, innermost first; a function that was seen inlined first counts as inlined wherever its caller is
 * of the same module, which changes lines of locations but no stack. A module is a mapping without addresses, as a
 * profile has none; a function has its linkage name and the line of its declaration. Bytes that are no UTF-8 are
 * visible as `\xNN`, because strings of a protocol buffer are UTF-8.
 *
 * A comparison is what `pprof -diff_base` makes of two profiles: head's samples as they are, base's with values below 0
 * and the label pprof::base = true.
 *
 * Labels and time of the profile are for services that keep profiles of many programs and commits.
 *
 * The same profile gives the same bytes: no other time is in them. Samples are compressed as they are written, so that
 * memory holds the compressed profile only. */
#pragma once

#include "model/exported.h"

/* The compressed profile; owned by the caller. */
GString *pprof_write(const ExportedProfile *exported);
