#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Numbers that the documentation takes from the code are those of the code: the default margins in docs/CONFIG.md, the
# defaults of keys there and in the schema, and the named constants in docs/STATISTICS.md. SOURCE_DIR is the repository.
# shellcheck disable=SC2016 # backquotes in single quotes are Markdown
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
cd "$SOURCE_DIR" || exit 1

# The rows of the table of margins as compare/policy.c has them, without the metrics that cannot be configured.
margins_of_code() {
	sed -n '/^static const DefaultMargin margins/,/^};/p' compare/policy.c | sed -E 's/([0-9]+) \* MEBIBYTE/\1MiB/; s/MEBIBYTE/1MiB/; s/([0-9]+) \* MILLISECOND/\1ms/' | tr -d '{}",' | awk '
		BEGIN { where["ON_ANY"] = "any"; where["ON_COSCHEDULED"] = "co-scheduled"; where["ON_HOSTED"] = "hosted"; where["ON_DEDICATED"] = "dedicated" }
		$2 in where && $1 != "cache-references" && $1 != "branches" {
			floor = $5 == "0" ? "-" : $5
			printf "%s %s %g %g %s %s\n", $1, where[$2], 100 * $3, 100 * $4, floor, $6 == "TRUE" ? "yes" : "no"
		}'
}
margins_of_docs() {
	sed -n '/^| metric | where | margin/,/^$/p' docs/CONFIG.md | grep '^| `' | sed 's/ MiB/MiB/; s/ ms/ms/' | tr -d '|`%' | awk '{ print $1, $2, $3, $4, $5, $6 }'
}
same_margins() {
	[ "$(margins_of_docs | wc -l)" -gt 10 ] && diff <(margins_of_code) <(margins_of_docs)
}
check "the margins in docs/CONFIG.md are those of the code" same_margins

# The same for counts, with the key that switches each on.
counted_margins_of_code() {
	sed -n '/^static const CountedMargin counted_margins/,/^};/p' compare/policy.c | sed -E 's/([0-9]+) \* KIBIBYTE/\1KiB/' | tr -d '{}",' | awk '
		NF == 4 && $2 ~ /^[.0-9]+$/ { printf "%s %g %s %s\n", $1, 100 * $2, $3 == "0" ? "-" : $3, $4 == "TRUE" ? "yes" : "no" }'
}
counted_margins_of_docs() {
	sed -n '/^| metric | switched on by/,/^$/p' docs/CONFIG.md | grep '^| `' | sed 's/ KiB/KiB/' | tr -d '|`%' | awk '{ print $1, $3, $4, $5 }'
}
same_counted_margins() {
	[ "$(counted_margins_of_docs | wc -l)" -ge 9 ] && diff <(counted_margins_of_code) <(counted_margins_of_docs)
}
check "the margins of counts in docs/CONFIG.md are those of the code" same_counted_margins
# Metrics of callgrind that KEY switches on, sorted: KEY is cache, heap, or callgrind for those that are always there.
names_in_code() { awk "/ $1\\[\\] = /,/;/" runner/config/configlookup.c | grep -o '"[a-z0-9-]*"' | tr -d '"' | sort; }
switched_in_docs() { sed -n '/^| metric | switched on by/,/^$/p' docs/CONFIG.md | tr -d '`|' | awk -v key="$1" '$2 == key { print $1 }' | sort; }
for key in callgrind cache heap; do
	check "docs/CONFIG.md and the code agree on what \`$key\` switches on" is "$(switched_in_docs "${key/callgrind/-}")" "$(names_in_code "${key}_metrics")"
done

# Rows of docs/STATISTICS.md: | `NAME` | value | `file` | meaning |
constants() { sed -nE 's/^\| `([A-Z0-9_]+)` \| ([^ |]+) \| `([a-z/]+\.[ch])` \|.*/\1 \2 \3/p' docs/STATISTICS.md; }
is_defined() { grep -E "^#define $1 ${2//./\\.}( |\$)" "$3"; } # is_defined NAME VALUE FILE
check "docs/STATISTICS.md names constants" test "$(constants | wc -l)" -ge 10
while read -r name value file; do
	check "$name is $value in $file" is_defined "$name" "$value" "$file"
done < <(constants)
finish
