/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for the benchmarks of a project with all finders (runner/discover/finders.h). */
#pragma once

#include "runner/discover/discoverplace.h"
#include "runner/discover/discovery.h"

/* Looks at the root; a build system that has no benchmark there is looked for in the folders below it, too. Of
 * several build systems of C and C++ in one folder the first that knows a benchmark counts. If there is none at all,
 * `builds` has the ones that were seen, without programs. NULL only on cancellation. */
Discovery *discover(const DiscoverPlace *place, GError **error);
