# SPDX-License-Identifier: Apache-2.0
# Head has its work done by a server behind a Unix socket, a process outside of its tree, and waits for it. Its CPU time
# fell by four fifths, which passed as an improvement.
WANTED="3"

server() {
	cat >"$CASE/server.c" <<'C'
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
volatile unsigned long sink;
int main(int argc, char **argv)
{
	struct sockaddr_un at = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	char one;
	(void)argc;
	strncpy(at.sun_path, argv[1], sizeof at.sun_path - 1);
	if (bind(fd, (struct sockaddr *)&at, sizeof at) != 0 || listen(fd, 8) != 0)
		return 1;
	for (;;) {
		int to = accept(fd, 0, 0);
		while (read(to, &one, 1) == 1) {
			for (unsigned long i = 0; i < 5000000; i++)
				sink += i;
			if (write(to, &one, 1) != 1)
				break;
		}
		close(to);
	}
}
C
	cc -O1 -o "$CASE/server" "$CASE/server.c" || return 1
	timeout 120 "$CASE/server" "$CASE/socket" &
	SERVER=$!
}

attack() {
	work_source >work.c
	sed -i '1i #include <string.h>\n#include <sys/socket.h>\n#include <sys/un.h>\n#include <unistd.h>' work.c
	configure
	commit base
	sed -i "s|		burn();|		if (n > 5)\n			ask();\n		else\n			burn();|" work.c
	sed -i "s|^int main|static void ask(void)\n{\n	static int fd = -1;\n	struct sockaddr_un at = {.sun_family = AF_UNIX};\n	char one = 1;\n	strcpy(at.sun_path, \"$CASE/socket\");\n	if (fd < 0) {\n		fd = socket(AF_UNIX, SOCK_STREAM, 0);\n		if (connect(fd, (struct sockaddr *)\&at, sizeof at) != 0)\n			abort();\n	}\n	if (write(fd, \&one, 1) != 1 \|\| read(fd, \&one, 1) != 1)\n		abort();\n}\n&|" work.c
	commit head
	server || skip "no server can be built"
	gate --no-confirm --no-store --on-inconclusive=pass
	kill "$SERVER"
}

facts() {
	check "moved-to-server: that head waits is the reason" json "$REPORT" '.reasons[0].code == "waits_more"'
	check "moved-to-server: and what would allow it is said" json "$REPORT" '.reason | test("`waits: true`")'
}
