# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that gate a project as a service does: makes a small project on a "server", $WORK/origin, with changes
# to it, whose benchmarks count instructions; but for those of branch `timed`, which measure time. The Nth change has the
# refs refs/pull/N/merge of GitHub, and refs/merge-requests/N/head and refs/merge-requests/N/merge of GitLab.

git init -q -b main "$WORK/origin" && cd "$WORK/origin" || exit 1
git config user.name dev && git config user.email dev@example.org
git config uploadpack.allowAnySHA1InWant true
commit() { git add -A && git commit -q -m "$1"; }
program() { # program HASH-PASSES SORT-PASSES
	sed -e "s/HASH/$1/" -e "s/SORT/$2/" >bench.c <<'C'
static volatile unsigned sum;

__attribute__((noinline)) static void hash_word(void)
{
	for (unsigned i = 0; i < HASH; i++)
		sum = (sum ^ i) * 16777619u;
}

__attribute__((noinline)) static void sort_rows(void)
{
	for (unsigned i = 0; i < SORT; i++)
		sum += i ^ (sum >> 3);
}

int main(int n, char **arguments)
{
	(void)arguments;
	if (n > 1)
		sort_rows();
	else
		hash_word();
	return 0;
}
C
}
program 20000 20000
commit "the program"
git branch -q bare
cat >firebreak.yml <<'Y'
version: 1
build: {command: "cc -O2 -g -fno-omit-frame-pointer -o bench bench.c"}
benchmarks:
  - {name: hash, command: [./bench], engines: [callgrind]}
  - {name: sort, command: [./bench, sort], engines: [callgrind]}
Y
echo bench >.gitignore
commit "gate it"

# pull NUMBER BASE MESSAGE COMMAND...: a pull request with what the command changes, and its merge commit
pull() {
	git checkout -q -B "topic-$1" "$2"
	"${@:4}"
	commit "$3"
	git checkout -q -B merged "$2"
	git merge -q --no-ff -m "Merge" "topic-$1"
	git update-ref "refs/pull/$1/merge" merged
	git update-ref "refs/merge-requests/$1/merge" merged
	git update-ref "refs/merge-requests/$1/head" "topic-$1"
	git checkout -q main
}
slower() { program 26000 20000; }
broken() { echo 'int main(void) { return missing; }' >bench.c; }
crashes() { slower && sed -i 's/^\tif (n > 1)$/\tif (n > 1)\n\t\treturn 3;\n\tif (n > 2)/' bench.c; }
comments() { sed -i '1i /* a comment */' bench.c; }
faster() { program 12000 20000; }
gated() { git show main:firebreak.yml >firebreak.yml; }
pull 1 main "hash all of it" slower
pull 2 main "comment" comments
pull 3 main "does not build" broken
pull 4 main "sort fails, hash is slower" crashes
pull 5 main "hash less" faster
pull 6 bare "gate it" gated
pull 7 main $'hash all of it\n\nPerf-Accepted: hash: every letter counts' slower

git checkout -q -b timed bare
program 30000000 20000
printf 'version: 1\nbuild: {command: "cc -O2 -g -fno-omit-frame-pointer -o bench bench.c"}\nbenchmarks:\n  - {name: hash, command: [./bench]}\n' >firebreak.yml
commit "time it"
git checkout -q -b unsteady timed
# Its work is a matter of luck, from one to eight times as much, so some twenty rounds cannot tell a change of 4 %.
unsteady() { # unsteady PASSES
	sed -e "s/PASSES/$1/" >bench.c <<'C'
#include <sys/random.h>

static volatile unsigned sum;

int main(void)
{
	unsigned char luck = 0;
	if (getrandom(&luck, 1, 0) != 1)
		return 1;
	for (unsigned i = 0; i < PASSES * (1 + luck % 8); i++)
		sum = (sum ^ i) * 16777619u;
	return 0;
}
C
}
unsteady 5000000
commit "unsteady"
git checkout -q main
pull 8 timed "hash more" program 30300000 20000
pull 9 unsteady "hash more" unsteady 5200000

# without_numbers FILE: a comment or note as its reader sees it first, with other numbers and commits, and without what
# depends on the machine: with hardware counters cycles stand where CPU time does, and what helps depends on the noise.
without_numbers() {
	sed -E '/^<details>/,$d; s/ error: .*/ error: .../; s/^(- to decide `[a-z]+`: ).*/\1.../; s/[0-9a-f]{40,64}/SHA/g; s/\b[0-9a-f]{12}\b/SHA/g; s/[0-9]+([.,][0-9]+)?/N/g; s/[-+−]N/N/g; s/\bcycles N %/CPU time N %/; s/^CPU time is that of [^.]*\. //' "$1"
}
