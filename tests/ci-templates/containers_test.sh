#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2016 # scripts that another shell expands
# docs/CONTAINERS.md, tried: what a container must allow for which kind of measurement; the pods of ci-templates/kubernetes
# under their seccomp profile; a program that is recorded from a container beside it, and from the host. The containers are
# real, and started by runc. SOURCE_DIR is the repository, FIREBREAK the program.
# shellcheck source=tests/checks.sh
. "$SOURCE_DIR/tests/checks.sh" || exit 1
for tool in jq python3 valgrind cc; do command -v $tool >/dev/null || skip_all "$tool is not installed"; done
python3 -c 'import yaml' 2>/dev/null || skip_all "python3-yaml is missing (./dev installs it)"
# shellcheck source=tests/ci-templates/container.bash
. "$SOURCE_DIR/tests/ci-templates/container.bash"
PROFILE=$SOURCE_DIR/ci-templates/kubernetes/seccomp.json
mkdir -p "$WORK/home" && : >"$WORK/gitconfig" && chmod 755 "$WORK"
export GIT_CONFIG_GLOBAL=$WORK/gitconfig
containers || skip_all "$WHY"
reason=$(perf_events_open 2>&1) || skip_all "$reason"
# As default profiles of runtimes are to firebreak: they allow perf_event_open with a capability only.
jq '.syscalls += [{names: ["perf_event_open", "personality"], action: "SCMP_ACT_ERRNO", errnoRet: 1}]' "$PROFILE" >"$WORK/default.json"
# shellcheck source=tests/ci-templates/catalog.bash
. "$SOURCE_DIR/tests/ci-templates/catalog.bash"
mkdir "$WORK/out" && chmod 777 "$WORK/out"
cd "$WORK" || exit 1
says() { grep -qE -- "$1" "$WORK/contained" || { cat "$WORK/contained"; return 1; }; }
NOBODY=65534
SPIN='i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done'
records() { # records USER CAPABILITY PROFILE [OPTION...]
	rm -f "$WORK/out/a.data"
	contain record "$1" "$2" "$3" firebreak record "${@:4}" -o "$WORK/out/a.data" -- sh -c "$SPIN"
}
refused() { ! "$@"; }

# --- the profile, as it is and as those of runtimes are
check "under the profile nobody records time" records $NOBODY '' "$PROFILE"
check "under one that forbids perf_event_open nobody does" refused records $NOBODY '' "$WORK/default.json"
check "which is Operation not permitted, and says what to allow" says 'Operation not permitted; needs CAP_PERFMON.* a seccomp profile that allows perf_event_open'
check "doctor fails as well" refused contain doctor $NOBODY '' "$WORK/default.json" firebreak doctor
check "with the way out" says 'in a container, its seccomp profile must allow perf_event_open'
check "not even with the capability" refused records 0 CAP_PERFMON "$WORK/default.json"
for call in 'unshare --user true' 'unshare --mount true' 'mount -t tmpfs none /tmp'; do
	check "the profile forbids: $call" refused contain forbidden 0 CAP_SYS_ADMIN "$PROFILE" sh -c "$call"
	check "which a container without one allows" contain allowed 0 CAP_SYS_ADMIN '' sh -c "$call"
done
if [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ]; then
	check "kernel mode needs the capability" refused records $NOBODY '' "$PROFILE" --kernel
	check "without it, it is Permission denied" says 'Permission denied; needs CAP_PERFMON'
	check "with it, root of the container records kernel mode" records 0 CAP_PERFMON "$PROFILE" --kernel
	check "a capability that a pod adds is none of another user" refused records $NOBODY CAP_PERFMON "$PROFILE" --kernel
fi

# --- the gate inside
gate() { # gate PROFILE TARGET NUMBER [OPTION...]: in a clone of nobody's; the exit code in CODE
	rm -rf "$WORK/clone" "$WORK/out/result" "$WORK/cache" && mkdir -m 777 "$WORK/cache"
	git clone -q "$WORK/origin" "$WORK/clone" 2>/dev/null && chown -R $NOBODY:$NOBODY "$WORK/clone"
	contain gate $NOBODY '' "$1" firebreak -C "$WORK/clone" check --base "$(git -C "$WORK/origin" rev-parse "$2")" \
		--head "$(git -C "$WORK/origin" rev-parse "topic-$3")" --out "$WORK/out/result" "${@:4}"
	CODE=$?
}
gate "$PROFILE" timed 8 --rounds 12
check "under the profile the gate measures time" json "$WORK/out/result/report.json" '.measured == true and .benchmarks[0].metrics[0].base > 0'
gate "$WORK/default.json" timed 8 --rounds 12
check "under one that forbids perf_event_open it is no pass" is "$CODE $(jq -r .verdict "$WORK/out/result/report.json")" "8 error"
gate "$WORK/default.json" main 1
check "instructions need neither profile nor capability" is "$CODE $(jq -r .verdict "$WORK/out/result/report.json")" "1 regression"

# --- a pod of the manifest, under its security context
pod() { # pod [SED-EXPRESSION...]: user, capability and profile of its containers
	sed "$@" "$SOURCE_DIR/ci-templates/kubernetes/firebreak-shards.yml" | python3 -c '
import sys, yaml
for job in yaml.safe_load_all(sys.stdin):
    pod = job["spec"]["template"]["spec"]
    own = pod["containers"][0]["securityContext"]
    assert own["allowPrivilegeEscalation"] is False and own["capabilities"]["drop"] == ["ALL"], own
    print(pod["securityContext"]["runAsUser"], *own["capabilities"].get("add", ["none"]), pod["securityContext"]["seccompProfile"].get("localhostProfile", "default"))'
}
check "pods have no capability, and the profile" is "$(pod '')" "$(printf '65534 none profiles/firebreak.json\n65534 none default')"
check "or, as the manifest says, the capability, which only root has" is "$(pod -e '/# without CAP_PERFMON$/d' -e 's/# with CAP_PERFMON: //')" \
	"$(printf '0 PERFMON profiles/firebreak.json\n65534 none default')"
check "which is what its first lines tell" grep -qF "sed -e '/# without CAP_PERFMON$/d' -e 's/# with CAP_PERFMON: //'" "$SOURCE_DIR/ci-templates/kubernetes/firebreak-shards.yml"

# --- beside: a program in a container, recorded from another one, and from the host
cat >spin.c <<'C'
#include <stdint.h>
static volatile unsigned sum;
__attribute__((noinline)) static void parse_rows(void)
{
	for (unsigned i = 0; i < 1000000; i++)
		sum = (sum ^ i) * 16777619u;
}
int main(void)
{
	for (;;)
		parse_rows();
}
C
cc -O2 -g -fno-omit-frame-pointer -o spin spin.c
service() { # starts it in a container, whose process is SERVICE as the host counts
	bundle service $NOBODY '' "$WORK/default.json" '' /app/spin
	mkdir -p "$WORK/bundles/service/rootfs/app" && cp "$WORK/spin" "$WORK/bundles/service/rootfs/app/"
	runc --root "$WORK/runc" run --detach --pid-file "$WORK/pid" --bundle "$WORK/bundles/service" "firebreak-test-$$-service" >/dev/null 2>&1 </dev/null
	SERVICE=$(cat "$WORK/pid")
}
end_service() { runc --root "$WORK/runc" delete --force "firebreak-test-$$-service"; }
names() { # names FILE ROOT: the function is in the recording, with its place
	"$FIREBREAK" top "$1" --symfs "$2" >"$WORK/top" 2>&1
	grep -q 'parse_rows' "$WORK/top" && return
	cat "$WORK/top"
	return 1
}
if command -v perf >/dev/null && service; then
	trap 'end_service; rm -rf "$WORK"' EXIT
	check "the program has files of its own" [ -e "/proc/$SERVICE/root/app/spin" -a ! -e /app/spin ]
	check "from the host, perf records it" perf record -q -e cpu-clock:u -F 499 --call-graph fp -o "$WORK/out/host.data" -p "$SERVICE" -- sleep 1
	check "firebreak names its functions through the files that it has" names "$WORK/out/host.data" "/proc/$SERVICE/root"
	# a sidecar, or an ephemeral container: the same processes, files of its own
	beside() { # beside USER CAPABILITY PROFILE COMMAND...
		bundle beside "$1" "$2" "$3" "$SERVICE" "${@:4}"
		runc --root "$WORK/runc" run --bundle "$WORK/bundles/beside" "firebreak-test-$$-beside" >"$WORK/contained" 2>&1 </dev/null
	}
	attach() { rm -f "$WORK/out/beside.data" && beside "$1" "$2" "$3" perf record -q -e cpu-clock:u -F 499 --call-graph fp -o "$WORK/out/beside.data" -p 1 -- sleep 1; }
	check "a container beside it, of the same user, records it without a capability" attach $NOBODY '' "$PROFILE"
	check "and firebreak names its functions there" beside $NOBODY '' "$PROFILE" sh -c "firebreak top '$WORK/out/beside.data' --symfs /proc/1/root"
	check "by name" says parse_rows
	check "not under a profile that forbids perf_event_open" refused attach $NOBODY '' "$WORK/default.json"
	check "nor as another user" refused attach 65533 '' "$PROFILE"
	check "but root with CAP_PERFMON" attach 0 CAP_PERFMON "$PROFILE"
	check "from the host, in its namespaces, its own files are read" nsenter --target "$SERVICE" --mount ls /app/spin
	end_service
	trap 'rm -rf "$WORK"' EXIT
else
	echo "not run: a program that is recorded from beside, for want of perf"
fi
finish
