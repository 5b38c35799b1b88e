# SPDX-License-Identifier: Apache-2.0
# Head does five times the work and reports ten units of it where base reports nothing: costs are compared per unit, so it
# passed as an improvement of half. Reporting is allowed by base's configuration alone; under valgrind, too.
WANTED="4"

attack() {
	work_source >work.c
	sed -i 's/	return 0;/	if (argc > 2 \&\& getenv("FIREBREAK_METRICS")) {\n		FILE *file = fopen(getenv("FIREBREAK_METRICS"), "a");\n		fprintf(file, "work %s\\n", argv[2]);\n		fclose(file);\n	}\n	return 0;/; 1i #include <stdio.h>' work.c
	printf '#!/bin/sh\nexec ./work 10\n' >run.sh
	chmod +x run.sh
	configure '[./run.sh]'
	commit base
	sed -i 's/work 10/work 50 10/' run.sh
	commit head
	gate --no-confirm --no-store
	TIMED=$CODE
	git checkout -q base
	git tag -d base head >/dev/null
	sed -i 's/    gate: .*/    engines: [callgrind]/; s/work 10/work 1/' firebreak.yml run.sh
	commit base
	sed -i 's/work 1$/work 5 10/' run.sh
	commit head
	! command -v valgrind >/dev/null || gate --no-confirm --no-store
}

facts() {
	check "reported-work: the timed run is invalid, too" is "$TIMED" 4
	check "reported-work: the key is named" says '`work: reported`'
}
