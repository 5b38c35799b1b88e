#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Texts that users see (words.py, `./dev words`) do not use the words below: each has a plain one beside it.
# SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

python3 tests/structure/words.py >"$WORK/words"
check "texts are found" test "$(wc -l <"$WORK/words")" -gt 1000
check "a text over several lines is one" is "$(grep -c 'not everything was measured in enough rounds to be judged' "$WORK/words")" 1

# unused WORD INSTEAD: no text has WORD, which is an extended regular expression.
unused() {
	check "\"$1\" is not used, but $2" is "$(grep -iE "^[^ ]+ .*($1)" "$WORK/words")" ''
}
unused 'cries? wolf' 'false-alarm rate'
unused 'gone at this place' 'removed here'
unused 'new at this place' 'added here'
unused '(is|are|be) meant' 'intended'
unused 'done again' 'repeated'
unused 'scatters?' 'varies'
unused 'which the change touches' 'edited in this change'
unused 'say a command' 'name a command'
unused 'anew' 'again'
unused 'in vain' 'without a find'
unused 'let go of' 'deleted'
unused 'what became of' 'whether it took'
unused 'could not tell' 'was inconclusive'
unused 'not all there' 'incomplete'
unused 'can be had' 'are available'
unused 'has not got' 'does not have'
unused '([^e]|[^r]e) (is|are) no (file|stack|text|event|shard|remote|program|regression|job|commit|baseline|command)s?\b' 'is not a ...'
unused 'is there (already|twice)' 'exists, or is listed twice'
unused 'and yet' 'a plain sentence'
unused 'of either side' 'of each side'
unused 'nobody can tell' 'it is not known'
unused 'which is said' 'what it is'
unused 'goes on' 'continues'
unused 'from 0, which shows all' 'N; 0 shows all'
finish
