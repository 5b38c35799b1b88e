#!/bin/sh
# A benchmark as a shell script: only the sorting is measured.
set -eu
region() { # region enable|disable
	[ -n "${FIREBREAK_CTL_FIFO:-}" ] || return 0
	echo "$1" >"$FIREBREAK_CTL_FIFO"
	read -r answer <"$FIREBREAK_ACK_FIFO"
	[ "$answer" = ack ]
}
report() { # report NAME VALUE UNIT lower|higher, or: report work N
	[ -z "${FIREBREAK_METRICS:-}" ] || echo "$*" >>"$FIREBREAK_METRICS"
}

input=$(mktemp)
trap 'rm -f "$input"' EXIT
seq 400000 | awk '{ print ($1 * 7919) % 1000003 }' >"$input"
region enable
lines=$(sort -n "$input" | wc -l)
region disable
report lines "$lines" count higher
report work "$lines"
