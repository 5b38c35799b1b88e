#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Many writers of one repository, many pushers to one remote: how long, and how many updates are lost (none may be).
# TEST names the program (storestress_test of a build); WRITERS, WRITES, PUSHERS and PUSHES can be lowered for a try.
set -euo pipefail
export WRITERS=${WRITERS:-64} WRITES=${WRITES:-100} PUSHERS=${PUSHERS:-16} PUSHES=${PUSHES:-20}
TEST=${TEST:-$(dirname "$FIREBREAK")/tests/storestress_test}
[ -x "$TEST" ] || { echo "no program at $TEST: build it first, or name it with TEST" >&2; exit 2; }
"$TEST" 2>&1
