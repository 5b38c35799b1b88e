# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034 # WHY is for the test
# Sourced: containers of this machine's own files, as a service starts them, by runc. Needs WORK, FIREBREAK and root.

containers() { # ends with 1 and says why in WHY where there can be none
	command -v runc >/dev/null || { WHY="runc is not installed"; return 1; }
	[ "$(id -u)" = 0 ] || { WHY="only root can start them"; return 1; }
	[ -L /bin ] || { WHY="/bin is no link into /usr here"; return 1; }
	contain refused 0 '' '' true && return
	WHY="runc starts none: $(tail -n 1 "$WORK/contained")"
	return 1
}

# bundle NAME USER CAPABILITY PROFILE PID-NAMESPACE COMMAND...: what runc starts. CAPABILITY is one, or "" for none;
# PROFILE a seccomp profile, or "" for none; PID-NAMESPACE that of a process to be in, or "" for an own one.
bundle() {
	mkdir -p "$WORK/bundles/$1/rootfs/"{usr,etc,proc,dev,sys,tmp} "$WORK/bundles/$1/rootfs/$WORK"
	local link
	for link in /bin /sbin /lib /lib64; do [ ! -L $link ] || ln -sfn "usr$link" "$WORK/bundles/$1/rootfs$link"; done
	python3 - "$WORK" "$(dirname "$(realpath "$FIREBREAK")")" "$@" <<'PY'
import json, sys
work, programs, name, user, capability, profile, namespace, *command = sys.argv[1:]
bind = lambda path, mode: {"destination": path, "source": path, "type": "bind", "options": ["rbind", mode, "nosuid"]}
config = {
    "ociVersion": "1.0.2",
    "process": {
        "args": command, "cwd": work, "noNewPrivileges": True, "user": {"uid": int(user), "gid": int(user)},
        "env": [f"PATH={programs}:/usr/sbin:/usr/bin", f"HOME={work}/home", f"XDG_CACHE_HOME={work}/cache", f"GIT_CONFIG_GLOBAL={work}/gitconfig", "CI=true"],
        "capabilities": {kind: [capability] if capability else [] for kind in ("bounding", "effective", "permitted")},
    },
    "root": {"path": "rootfs"}, "hostname": name,
    "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"},
               {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755", "size=65536k"]},
               {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=1777"]},
               {"destination": "/sys", "type": "bind", "source": "/sys", "options": ["rbind", "ro"]},
               bind("/usr", "ro"), bind("/etc", "ro"), bind(work, "rw"), bind(programs, "ro")],
    "linux": {"namespaces": [{"type": "mount"}, {"type": "ipc"}, {"type": "uts"},
                             {"type": "pid", **({"path": f"/proc/{namespace}/ns/pid"} if namespace else {})}]},
}
if profile:
    config["linux"]["seccomp"] = json.load(open(profile))
json.dump(config, open(f"{work}/bundles/{name}/config.json", "w"))
PY
}

# contain NAME USER CAPABILITY PROFILE COMMAND...: runs the command in a container; what it prints is in $WORK/contained
contain() {
	bundle "$1" "$2" "$3" "$4" '' "${@:5}"
	runc --root "$WORK/runc" run --bundle "$WORK/bundles/$1" "firebreak-test-$$-$1" >"$WORK/contained" 2>&1 </dev/null
}
