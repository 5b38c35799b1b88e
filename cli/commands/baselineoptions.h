/* SPDX-License-Identifier: Apache-2.0 */
/* The values of the options of `firebreak baseline`. Each action takes some of them. */
#pragma once

#include <glib.h>

typedef struct {
	gboolean json;
	char *out;           /* file to export to */
	char *commit;        /* revision to import as */
	char *prefix;        /* of the refs; NULL = as the repository says */
	int keep;            /* 0 = not given */
	char *keep_branches; /* names with commas between */
	char *remote;        /* whose baselines to prune */
	gboolean dry_run, strict;
	gboolean set_aside; /* of verify */
} BaselineOptions;
