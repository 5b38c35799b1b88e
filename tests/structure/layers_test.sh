#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The layers as a rule that fails: who may include whom, who may see which library, and who may print or exit.
# Every offence is one line `file:line: what`. SOURCE_DIR is the repository.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

LAYERS=(core model profile runner baselines compare report gate cli)
# The folders that a folder may include besides itself, as layers.txt has them.
declare -A MAY_INCLUDE
while IFS=: read -r folder others; do
	[[ $folder == "" || $folder == \#* ]] || MAY_INCLUDE[$folder]=$others
done <tests/structure/layers.txt
# Header of a library, or an own one that brings it along, and the files that may include it; regular expressions.
LIBRARIES='
git2(/.*)?\.h|core/git/gitcleanup\.h       (core/git|baselines)/.*\.[ch]
jansson\.h                                 core/jsontext\.h
yaml\.h                                    core/yamltree\.c
libelf\.h|gelf\.h|elf\.h|dwarf\.h|elfutils/.* profile/.*
linux/perf_event\.h                        (runner|profile)/.*
'

sources_of() { find "$1" -name '*.[ch]' | sort; } # sources_of LAYER

# Prints `file:line:header` of every quoted ("q") or angled ("a") include of a layer.
includes_of() { # includes_of LAYER q|a
	local pattern='^[[:space:]]*#[[:space:]]*include[[:space:]]*"([^"]+)".*'
	[ "$2" = q ] || pattern='^[[:space:]]*#[[:space:]]*include[[:space:]]*<([^>]+)>.*'
	sources_of "$1" | xargs -r grep -nHE "$pattern" | sed -E "s/^([^:]+:[0-9]+:).*[\"<]([^\">]+)[\">].*/\1\2/"
}

# Own headers are included by their path from the root, and only from the folders that the row of the including one has.
# The name of another layer stands for all its folders, that of the own layer for the folder alone.
included_layers() { # included_layers LAYER
	local file line header from to others offences=0
	while IFS=: read -r file line header; do
		from=${file%/*} to=${header%/*}
		others=" ${MAY_INCLUDE[$from]-} "
		[[ $header == */* && ($to == "$from" || $others == *" $to "*) ]] && continue
		[[ $header == */* && ${header%%/*} != "$1" && $others == *" ${header%%/*} "* ]] && continue
		echo "$file:$line: $from/ may not include \"$header\""
		offences=1
	done < <(includes_of "$1" q)
	return $offences
}
folders_without_row() {
	local folder
	while read -r folder; do
		[ -n "${MAY_INCLUDE[$folder]+there}" ] || echo "$folder/ has no row in layers.txt"
	done < <(find "${LAYERS[@]}" -name '*.[ch]' -printf '%h\n' | sort -u)
}
shown_layers() { awk '/^.``$/ { shown = 0 } shown; /^.``layers$/ { shown = 1 }' docs/ARCHITECTURE.md; }
rows_without_folder() {
	local folder
	for folder in "${!MAY_INCLUDE[@]}"; do
		[ -d "$folder" ] || echo "layers.txt has a row for $folder/, which is not there"
	done
}

included_libraries() { # included_libraries LAYER
	local file line header library owners offences=0
	while IFS=: read -r file line header; do
		while read -r library owners; do
			if [ -z "$library" ] || [[ ! $header =~ ^($library)$ ]] || [[ $file =~ ^($owners)$ ]]; then
				continue
			fi
			echo "$file:$line: <$header> belongs to $owners"
			offences=1
		done <<<"$LIBRARIES"
	done < <(includes_of "$1" a; includes_of "$1" q)
	return $offences
}

# calls PATTERN FILE...: lines of code, not of comments or strings, that match the extended regular expression.
calls() {
	local pattern=$1
	shift
	# not by -v, of which some awks take backslashes away
	PATTERN=$pattern awk '
		BEGIN { pattern = ENVIRON["PATTERN"] }
		FNR == 1 { comment = 0 }
		{
			code = $0
			gsub(/\047"\047/, "", code)
			gsub(/"([^"\\]|\\.)*"/, "", code)
			if (comment && !sub(/^.*\*\//, "", code)) next
			comment = 0
			gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", code)
			if (sub(/\/\*.*/, "", code)) comment = 1
			sub(/\/\/.*/, "", code)
			if (code ~ pattern) { printf "%s:%d: %s\n", FILENAME, FNR, $0; found = 1 }
		}
		END { exit found ? 1 : 0 }' "$@"
}
NO_NAME='(^|[^A-Za-z0-9_.>])'
TALKS="$NO_NAME(printf|vprintf|puts|putchar|perror|exit|_exit|quick_exit|abort|err|errx|warn|warnx|g_print|g_printerr|g_message|g_warning|g_critical|g_error|g_info|g_debug|g_log)[ ]*[(]|$NO_NAME(stdout|stderr)([^A-Za-z0-9_]|\$)"
UNSAFE="$NO_NAME(strcpy|strcat|sprintf|vsprintf|strtok|gets|system|popen|alloca|g_alloca|tmpnam|mktemp)[ ]*[(]"

prints_or_exits() { # prints_or_exits LAYER: two helpers are programs of their own and may
	local files
	mapfile -t files < <(sources_of "$1" | grep -vxE 'core/spawn_main.c|runner/compilers/compiler_main.c')
	[ ${#files[@]} = 0 ] || calls "$TALKS" "${files[@]}"
}
unsafe_calls() {
	local files
	mapfile -t files < <(sources_of "$1")
	[ ${#files[@]} = 0 ] || calls "$UNSAFE" "${files[@]}"
}

check "every folder has a row in layers.txt" is "$(folders_without_row)" ''
check "every row of layers.txt has a folder" is "$(rows_without_folder)" ''
check "ARCHITECTURE.md shows layers.txt as it is" is "$(shown_layers)" "$(grep -v '^#' tests/structure/layers.txt)"
for layer in "${LAYERS[@]}"; do
	check "$layer includes only what its layer may" included_layers "$layer"
	check "$layer sees only its libraries" included_libraries "$layer"
	check "$layer calls nothing that cannot be called safely" unsafe_calls "$layer"
	[ "$layer" = cli ] || check "$layer neither prints nor exits" prints_or_exits "$layer"
done

# The rules themselves, on a tree with one offence each.
mkdir -p "$WORK/tree/core" "$WORK/tree/report" "$WORK/tree/compare/counted" && cd "$WORK/tree" || exit 1
printf '/* printf( in a comment\n   "exit(1)" */\nconst char *s = "printf(";\nint f(void) { return x->exit(1) + g_strdup_printf("%%d", 1) + dup2(1, STDERR_FILENO); }\n' >core/clean.c
printf '#include "core/clean.h"\n#include "report/svg.h"\n#include "near.h"\n#include <yaml.h>\nvoid f(void) { /* x */ printf("a"); }\nvoid g(void) { fputs("a", stderr); }\n' >core/bad.c
printf '#include "compare/comparison/totals.h"\n#include "compare/bisect/bisectlog.h"\n#include "core/error.h"\n#include "gate/gate.h"\n' >compare/counted/bad.c
offences() { "$@" | cut -d: -f1,2 | tr '\n' ' '; }
check "an include of a higher layer and one without path are found" is "$(offences included_layers core)" "core/bad.c:2 core/bad.c:3 "
check "an include of a folder that the row does not have is found" is "$(offences included_layers compare)" "compare/counted/bad.c:2 compare/counted/bad.c:4 "
check "a library in the wrong file is found" is "$(offences included_libraries core)" "core/bad.c:4 "
check "printing is found, comments and strings are not" is "$(offences prints_or_exits core)" "core/bad.c:5 core/bad.c:6 "
check "an empty layer is no offence" prints_or_exits report
finish
