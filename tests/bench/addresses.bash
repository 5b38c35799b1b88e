# SPDX-License-Identifier: Apache-2.0
# Sourced by addr2line.sh and symbols.sh: addresses.c, built as $WORK/addresses; programs whose debug information is worth
# asking for; and random addresses in them.
# FIREBREAK names the program, SOURCE_DIR the repository, ADDRESSES how many are asked for. WORK is a temporary folder that
# goes when the script ends, BUILD the folder of FIREBREAK.
#
# The programs: a C program of one very large unit (the amalgamation of SQLite where SQLITE_SOURCE names its folder, else
# one that is generated), C++ and Rust with heavy inlining, and libpython where there is one (its debug information is in
# libpython3.x-dbg).
BUILD=$(dirname "$FIREBREAK")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
say() { printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2; }

# need_programs PROGRAM...: ends the script if one is not there.
need_programs() {
	local program
	for program; do
		command -v "$program" >/dev/null || { say "$program is missing"; exit 2; }
	done
}

# Builds addresses.c with the libraries of FIREBREAK.
build_addresses() {
	local library libraries=("$BUILD/profile/libprofile.a" "$BUILD/core/libcore.a") flags linked
	for library in "${libraries[@]}" "$BUILD/firebreak-symbols"; do
		[ -f "$library" ] || { say "$library is not built; run it as ./dev bench"; exit 2; }
	done
	read -ra flags < <(pkg-config --cflags glib-2.0 gio-2.0 libdw libelf)
	read -ra linked < <(pkg-config --libs glib-2.0 gio-2.0 libdw libelf libzstd capstone)
	"${CC:-gcc}" -O2 -std=gnu17 -D_GNU_SOURCE -I"$SOURCE_DIR" "${flags[@]}" -o "$WORK/addresses" \
		"$SOURCE_DIR/tests/bench/addresses.c" "${libraries[@]}" "${linked[@]}" -liberty -lm
}

# One C unit of 4000 functions that call small inlined ones.
write_c() {
	awk 'BEGIN {
		print "struct node { struct node *next; long key, value; char *name; };\nvolatile long sink;"
		for (i = 0; i < 400; i++)
			printf "static inline __attribute__((always_inline)) long small%d(struct node *n, long k) { long s = %d; while (n) { if (n->key == k) s += n->value; n = n->next; } %s return s; }\n", i, i, i % 4 ? "s += small" int(i / 4) "(0, s);" : ""
		for (i = 0; i < 4000; i++)
			printf "long f%d(struct node *n, long k) { sink = k; if (k > %d) sink += small%d(n, k); else sink -= small%d(n->next, k + 1); return sink * %d; }\n", i, i, i % 400, i * 7 % 400, i
		print "int main(int argc, char **argv) { struct node n = {0, argc, 1, argv[0]}; long s = 0;"
		for (i = 0; i < 4000; i++) printf "s += f%d(&n, argc);\n", i
		print "return (int)s; }"
	}'
}

write_cxx() {
	cat <<'C'
#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <regex>
#include <sstream>
#include <unordered_map>
#include <vector>
template <int N> struct Key {
	long a[N % 3 + 1];
	bool operator<(const Key &o) const { return std::lexicographical_compare(a, a + N % 3 + 1, o.a, o.a + N % 3 + 1); }
	bool operator==(const Key &o) const { return std::equal(a, a + N % 3 + 1, o.a); }
};
template <int N> struct Hash {
	size_t operator()(const Key<N> &k) const { return std::accumulate(k.a, k.a + N % 3 + 1, size_t(N)); }
};
template <int N> long run(const std::vector<long> &in)
{
	std::map<Key<N>, std::string> tree;
	std::unordered_map<Key<N>, std::vector<double>, Hash<N>> table;
	std::vector<std::shared_ptr<Key<N>>> queue;
	for (long v : in) {
		Key<N> k{};
		std::iota(k.a, k.a + N % 3 + 1, v % (N + 7));
		tree[k] += std::to_string(v);
		table[k].push_back(v * 1.5);
		queue.push_back(std::make_shared<Key<N>>(k));
	}
	std::vector<Key<N>> keys;
	for (auto &p : tree)
		keys.push_back(p.first);
	std::sort(keys.begin(), keys.end(), [](const Key<N> &x, const Key<N> &y) { return y < x; });
	std::stable_sort(keys.begin(), keys.end());
	std::ostringstream out;
	for (auto &k : keys)
		out << std::accumulate(table[k].begin(), table[k].end(), 0.0) << ';';
	return out.str().size() + queue.size();
}
template <int N> long all(const std::vector<long> &in)
{
	if constexpr (N == 0)
		return 0;
	else
		return run<N>(in) + all<N - 1>(in);
}
int main(int argc, char **argv)
{
	std::vector<long> in(argc * 100);
	std::smatch found;
	std::string name = argv[0];
	return (int)all<30>(in) + std::regex_search(name, found, std::regex("([a-z]+)([0-9]*)"));
}
C
}

write_rust() {
	cat <<'R'
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Key<const N: usize>([u64; 3]);
fn run<const N: usize>(input: &[u64]) -> u64 {
    let mut tree: BTreeMap<Key<N>, String> = BTreeMap::new();
    let mut table: HashMap<Key<N>, Vec<f64>> = HashMap::new();
    for (i, v) in input.iter().enumerate().filter(|(i, _)| i % (N + 1) < N) {
        let key = Key::<N>([*v % (N as u64 + 7), i as u64 % 13, N as u64]);
        write!(tree.entry(key).or_default(), "{}", v).unwrap();
        table.entry(key).or_insert_with(Vec::new).push(*v as f64 * 1.5);
    }
    let mut keys: Vec<Key<N>> = tree.keys().copied().chain(table.keys().copied()).collect();
    keys.sort_by(|a, b| b.cmp(a));
    keys.dedup();
    let text: String = keys.iter().zip(keys.iter().skip(1)).map(|(a, b)| format!("{:?}{:?}", a, b)).collect::<Vec<_>>().join(";");
    let sum: f64 = keys.iter().filter_map(|k| table.get(k)).flat_map(|v| v.iter()).map(|x| x.sqrt()).sum();
    text.split(';').map(|s| s.chars().rev().filter(|c| c.is_alphanumeric()).count() as u64).sum::<u64>() + sum as u64
}
macro_rules! all { ($input:expr; $($n:literal)*) => { 0 $(+ run::<$n>($input))* } }
fn main() {
    let input: Vec<u64> = (0..std::env::args().count() as u64 * 100).collect();
    println!("{}", all!(&input; 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20));
}
R
}

# random_addresses FILE: distinct addresses in .text.
random_addresses() {
	local start size
	read -r start size < <(readelf -SW "$1" | sed 's/^ *\[ *[0-9]*\] *//' | awk '$1 == ".text" { print $3, $5 }')
	awk -v start=$((16#$start)) -v size=$((16#$size)) -v n="$ADDRESSES" 'BEGIN {
		srand(7)
		for (left = n < size ? n : size; left > 0;) {
			address = start + int(rand() * size)
			if (address in seen) continue
			seen[address]
			left--
			printf "0x%x\n", address
		}
	}'
}

# each_program COMMAND: builds the programs one after the other and calls COMMAND NAME FILE for each.
each_program() {
	local python
	if [ -n "${SQLITE_SOURCE:-}" ]; then
		gcc -g -O2 -w -o "$WORK/large" "$SQLITE_SOURCE/sqlite3.c" "$SQLITE_SOURCE/shell.c" -I"$SQLITE_SOURCE" -lpthread -lm -ldl
		"$1" "SQLite, one unit" "$WORK/large"
	else
		write_c >"$WORK/large.c"
		gcc -g -O2 -w -o "$WORK/large" "$WORK/large.c"
		"$1" "C, one unit" "$WORK/large"
	fi
	write_cxx >"$WORK/templates.cc"
	g++ -std=c++17 -g -O2 -o "$WORK/templates" "$WORK/templates.cc"
	"$1" "C++ templates" "$WORK/templates"
	if command -v rustc >/dev/null; then
		write_rust >"$WORK/inlining.rs"
		rustc -C opt-level=3 -C debuginfo=2 -o "$WORK/inlining" "$WORK/inlining.rs"
		"$1" "Rust" "$WORK/inlining"
	fi
	while read -r python; do
		"$1" "$(basename "$python")" "$python"
	done < <(compgen -G '/usr/lib/*/libpython3*.so.1.0' || true)
}
