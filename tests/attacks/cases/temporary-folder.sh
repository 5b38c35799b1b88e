# SPDX-License-Identifier: Apache-2.0
# No attack: an unchanged program makes a socket below TMPDIR, as multiprocessing.Manager() of Python does, with a name
# of 60 characters. TMPDIR had some 90 by itself, so that the socket could not be bound, and the check ended with 4.
WANTED="0 3"

attack() {
	work_source >work.c
	sed -i 's/^int main(.*/int old_main(int argc, char **argv)/' work.c
	cat >>work.c <<'C'
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
int main(int argc, char **argv)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	if (snprintf(at.sun_path, sizeof at.sun_path, "%s/%060d", getenv("TMPDIR"), 1) >= (int)sizeof at.sun_path)
		return 3;
	if (bind(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&at, sizeof at) != 0)
		return 4;
	return old_main(argc, argv);
}
C
	configure
	commit base
	echo words >README
	commit head
	gate --no-confirm --no-store --rounds 8
	LONG=$CODE
	SHORT_TMP=$(mktemp -d /tmp/fbXXXXXX)
	TMPDIR=$SHORT_TMP gate --no-confirm --no-store --rounds 8
	LEFT=$(ls "$SHORT_TMP")
	rm -rf "$SHORT_TMP"
}

facts() {
	check "temporary-folder: a long TMPDIR of the user makes no difference" grep -qx "$LONG" <<<$'0\n3'
	check "temporary-folder: a short one is used and left empty" is "$LEFT" ""
}
