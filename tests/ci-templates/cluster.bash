# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2034 # WHY is for the test
# Sourced: a Slurm cluster of one node, this machine, which ends with the script. Needs WORK and root.

# cluster: starts it, or ends with 1 and says why in WHY. Jobs have PATH of now.
cluster() {
	local program
	for program in slurmctld slurmd sbatch scancel; do
		command -v $program >/dev/null || { WHY="$program is not installed (slurm-wlm)"; return 1; }
	done
	[ "$(id -u)" = 0 ] || { WHY="only root can be its node"; return 1; }
	CLUSTER=$WORK/slurm
	mkdir -p "$CLUSTER/state" "$CLUSTER/spool"
	local ports
	ports=$(python3 -c 'import socket; s=[socket.socket() for _ in range(2)]; [x.bind(("127.0.0.1", 0)) for x in s]; print(*(x.getsockname()[1] for x in s))')
	cat >"$CLUSTER/slurm.conf" <<CONF
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=${ports% *}
SlurmdPort=${ports#* }
SlurmUser=root
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
ReturnToService=2
StateSaveLocation=$CLUSTER/state
SlurmdSpoolDir=$CLUSTER/spool
SlurmctldPidFile=$CLUSTER/slurmctld.pid
SlurmdPidFile=$CLUSTER/slurmd.pid
SlurmctldLogFile=$CLUSTER/slurmctld.log
SlurmdLogFile=$CLUSTER/slurmd.log
NodeName=$(hostname -s) NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
	export SLURM_CONF=$CLUSTER/slurm.conf
	slurmctld -D >/dev/null 2>&1 &
	CONTROLLER=$!
	slurmd -D >/dev/null 2>&1 &
	NODE=$!
	local i
	for ((i = 0; i < 300; i++)); do
		[ "$(sinfo -h -o %t 2>/dev/null)" != idle ] || return 0
		sleep .1
	done
	WHY="its node does not come up: $(tail -n 3 "$CLUSTER/slurmd.log" "$CLUSTER/slurmctld.log" | tr '\n' ' ')"
	end_cluster
	return 1
}

end_cluster() {
	[ -z "${CONTROLLER:-}" ] || kill "$NODE" "$CONTROLLER" 2>/dev/null
	wait "${NODE:-}" "${CONTROLLER:-}" 2>/dev/null
	CONTROLLER=
}
