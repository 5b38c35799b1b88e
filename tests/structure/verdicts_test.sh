#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Verdicts, the codes of reasons and the exit codes of results are decided in compare/: other layers pass it the facts.
# SOURCE_DIR names the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

# Where such an assignment decides nothing, each with its reason.
# report/json/                    reads results that are stored
# baselines/calibrationtext.c     reads calibrations that are stored
# report/flame/flamediff.c        points to the verdict that it draws
# cli/options/commandline.c       the exit code of options that cannot be read, before there is a result
# core/child.c, runner/record/recordsession.c, baselines/git/gitprogram.c, cli/commands/cmd_record.c     the exit code of
# a process that ended
others='^(report/json/[a-z]+\.c|baselines/calibrationtext\.c|report/flame/flamediff\.c|core/child\.c'
others+='|cli/(options/commandline|commands/cmd_record)\.c|runner/record/recordsession\.c|baselines/git/gitprogram\.c)$'

# decisions FOLDER: where a verdict, the code of a reason or an exit code is set, as PATH:LINE:CODE.
decisions() {
	local fields='(->|\.|\*)(verdict|reason_code|exit_code) = '
	local calls='\b(benchmark_comparison_decide|check_result_add_reason)\('
	(cd "$1" && grep -rnE "$fields|$calls" --include='*.c' --include='*.h' \
		core model profile runner baselines report gate cli 2>/dev/null) |
		while IFS= read -r line; do
			[[ ${line%%:*} =~ $others ]] || echo "$line"
		done
}
check "verdicts are decided in compare/ only" is "$(decisions .)" ''

mkdir -p "$WORK/gate" "$WORK/compare" "$WORK/report/json"
printf '%s\n' 'result->verdict = VERDICT_PASS;' 'if (result->verdict == VERDICT_PASS)' \
	'check_result_add_reason(result, 3, "late", NULL, "late");' >"$WORK/gate/wrong.c"
printf '%s\n' 'result->verdict = VERDICT_PASS;' >"$WORK/compare/right.c"
printf '%s\n' 'result->exit_code = read_exit_code(root);' >"$WORK/report/json/reader.c"
check "a verdict that the gate sets is found, and a reason that it chooses" is "$(decisions "$WORK")" \
	'gate/wrong.c:1:result->verdict = VERDICT_PASS;
gate/wrong.c:3:check_result_add_reason(result, 3, "late", NULL, "late");'
finish
