#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the pods of ci-templates/kubernetes run, with the environment of the manifest and nothing else: shards and their join,
# by somebody without a capability, measured by the real program (instructions, under valgrind). No cluster takes part.
# SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
for tool in valgrind jq python3 setpriv; do command -v $tool >/dev/null || skip_all "$tool is not installed"; done
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
MANIFEST=$SOURCE_DIR/ci-templates/kubernetes/firebreak-shards.yml
: >"$WORK/gitconfig"
export GIT_CONFIG_GLOBAL=$WORK/gitconfig
# shellcheck source=tests/ci-templates/catalog.bash
. "$SOURCE_DIR/tests/ci-templates/catalog.bash"
mkdir "$WORK/bin" "$WORK/results" && ln -s "$FIREBREAK" "$WORK/bin/firebreak"
AS=()
if [ "$(id -u)" = 0 ]; then
	AS=(setpriv --reuid=65534 --regid=65534 --clear-groups --bounding-set=-all)
	chmod 711 "$WORK" && chown -R 65534:65534 "$WORK/origin" "$WORK/results"
	"${AS[@]}" test -x "$FIREBREAK" || skip_all "nobody cannot read $FIREBREAK"
fi

# pod N RUN HEAD [NAME=VALUE...]: the container of the Nth job, with the volumes in $WORK; the exit code in CODE
pod() {
	local arguments
	python3 - "$MANIFEST" "$1" "$WORK" "$2" "$(git -c safe.directory='*' -C "$WORK/origin" rev-parse main)" "$3" <<'PY'
import sys, yaml
path, number, work, run, base, head = sys.argv[1:]
text = open(path).read().replace("@RUN@", run).replace("@BASE@", base).replace("@HEAD@", head)
container = list(yaml.safe_load_all(text))[int(number)]["spec"]["template"]["spec"]["containers"][0]
def here(value):
    return value.replace("/results", work + "/results").replace("/work/", work + "/pod/").replace("https://example.org/project.git", f"file://{work}/origin")
open(work + "/environment", "w").write("".join(f"{e['name']}={here(e['value'])}\n" for e in container["env"]))
open(work + "/script", "w").write(here(container["args"][0]))
PY
	mapfile -t arguments <"$WORK/environment"
	rm -rf "$WORK/pod" && mkdir "$WORK/pod" && chmod 777 "$WORK/pod"
	"${AS[@]}" env -i PATH="$WORK/bin:$PATH" HOME=/nonexistent "${arguments[@]}" "${@:4}" sh -ec "$(cat "$WORK/script")" >"$WORK/log" 2>&1 </dev/null
	CODE=$?
}
check_of() { # check_of RUN HEAD: both shards of two, and the join
	pod 0 "$1" "$2" JOB_COMPLETION_INDEX=0 SHARDS=2
	pod 0 "$1" "$2" JOB_COMPLETION_INDEX=1 SHARDS=2
	pod 1 "$1" "$2"
}
verdict() { jq -r .verdict "$WORK/results/$1-joined/report.json"; }
slower=$(git -c safe.directory='*' rev-parse topic-1) commented=$(git -c safe.directory='*' rev-parse topic-2)

check_of r1 "$slower"
check "a regression is the exit code of the join, without any capability" is "$CODE $(verdict r1)" "1 regression"
check "with the benchmarks of both pods" is "$(jq -r '.benchmarks | map(.name) | join(" ")' "$WORK/results/r1-joined/report.json")" "hash sort"
pod 0 r1 "$slower" JOB_COMPLETION_INDEX=0 SHARDS=2
pod 1 r1 "$slower"
check "a pod that is started twice does no harm" is "$CODE $(verdict r1)" "1 regression"
check_of r2 "$commented"
check "a pass passes" is "$CODE $(verdict r2)" "0 pass"
rm -r "$WORK/results/r2/shard-1"
pod 1 r2 "$commented"
check "a pod that left nothing fails the join" is "$CODE $(verdict r2)" "4 error"
finish
