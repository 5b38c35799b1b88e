# SPDX-License-Identifier: Apache-2.0
# Sourced by the browser tests: they need a browser, node, and playwright-core, which drives it. Sets CHROMIUM and
# PLAYWRIGHT_CORE, or ends the script as skipped with the reason; FIREBREAK_BROWSER=required makes that a failure.
# shellcheck shell=bash
: "${FIREBREAK:?}" "${SOURCE_DIR:?}"
export PLAYWRIGHT_CORE=${PLAYWRIGHT_CORE:-$SOURCE_DIR/build/browser/node_modules/playwright-core}
export CHROMIUM=${CHROMIUM:-}
OLDEST_NODE=18

# skip_browser REASON
skip_browser() {
	[ "${FIREBREAK_BROWSER:-}" != required ] || {
		echo "failed: $1 (FIREBREAK_BROWSER=required)"
		exit 1
	}
	echo "skipped: $1"
	exit 77
}

# A snap has a file system of its own and does not see what the tests write; its command is a link or a stub.
is_snap() {
	case $(readlink -f "$1") in */snap | /snap/*) return 0 ;; esac
	head -c 4096 "$1" | grep -qa '/snap/bin'
}

# The shell is Chromium without windows: it does the same in a third of the CPU time.
need_browser() {
	local command
	command -v node >/dev/null || skip_browser "node is not installed (./dev installs it)"
	node -e "process.exit(parseInt(process.versions.node) >= $OLDEST_NODE ? 0 : 1)" ||
		skip_browser "node is $(node --version), and $OLDEST_NODE is the oldest that will do"
	for command in chromium-headless-shell chromium chromium-browser google-chrome; do
		[ -z "$CHROMIUM" ] || break
		command=$(command -v "$command") || continue
		is_snap "$command" || CHROMIUM=$command
	done
	[ -n "$CHROMIUM" ] || skip_browser "there is no Chromium but perhaps a snap; name the program in CHROMIUM"
	[ -f "$PLAYWRIGHT_CORE/index.mjs" ] ||
		skip_browser "playwright-core is not at $PLAYWRIGHT_CORE (./dev installs it into build/browser)"
}

# drive NAME FOLDER: what tests/browser/NAME.mjs says about the files in the folder.
drive() { node "$SOURCE_DIR/tests/browser/$1.mjs" "$2"; }
