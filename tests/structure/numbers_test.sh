#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Numbers with a fraction become text in model/numbers/ alone, so that one number reads alike in all sentences, tables
# and pictures. Every offence is one line `file:line: what`. SOURCE_DIR is the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

# Conversions of doubles in a format of printf, as "%.1f", "%+.*f" or "%g"; "%'d", which asks the locale.
FRACTION="%[-+#0]*[0-9*]*(\\.[0-9*]+[aefgAEFG]|[aefgAEFG]([^a-zA-Z]|\$))|%'[0-9]*l*[diu]"
# A file that writes numbers for a program and not for a reader, and why that is so.
EXCEPTIONS='
gate/request/talk.c                       seconds that have passed, in front of each line of progress
gate/steps/gatework.c             a value as --max-time takes it
gate/timed/gateadvice.c           a value as the key sampling takes it
report/ci/openmetrics.c           Prometheus reads it: as many digits as a double has
report/flame/flamecanvas.c        coordinates of SVG and shares for its script
report/html/htmlclosing.c         a value as --max-time takes it, in a command to copy
report/html/htmltext.c            coordinates of SVG, and the values that a table is sorted by
cli/commands/cmd_record.c         a count of perf is kept as a double, and all of its digits are shown
cli/options/option.c              bounds of ours in the messages about options
'

formatted() { # formatted FOLDER...: places in strings of the code, without those of listed files
	find "$@" -name '*.c' | sort | xargs -r grep -nHE "\"[^\"]*($FRACTION)" | grep -vE '^[^:]+:[0-9]+:[[:space:]]*(/\*|\*|//)' |
		while IFS=: read -r file line text; do
			grep -qE "^$file " <<<"$EXCEPTIONS" || echo "$file:$line: $text"
		done
}
unused() { # files of the list that need not be there
	local file
	while read -r file _; do
		[ -z "$file" ] || grep -qE "\"[^\"]*($FRACTION)" "$file" || echo "$file"
	done <<<"$EXCEPTIONS"
}
check "numbers become text in model/numbers/ alone" is "$(formatted compare report gate cli baselines)" ''
check "every exception is needed" is "$(unused)" ''

# The rule itself, on a file with offences.
mkdir -p "$WORK/tree/report" && cd "$WORK/tree" || exit 1
printf '%s\n' 'a = "%.1f %%";' 'b = "%+.*f";' 'c = "100 % of %s";' 'd = "%g";' "e = \"%'d\";" '/* "%f" */' 'g = "%5.0f s";' 'h = "50 %";' 'i = "%.0fs";' >report/bad.c
check "formats of fractions are found, and nothing else" is "$(formatted report | cut -d: -f2 | tr '\n' ' ')" '1 2 4 5 7 9 '
finish
