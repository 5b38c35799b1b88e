/* SPDX-License-Identifier: Apache-2.0 */
/* The request for a bisection. */
#pragma once

#include "gate/request/gatehost.h"
#include "gate/request/talk.h"

typedef struct {
	const char *repo_path;
	const char *good, *bad; /* revisions */
	const char *benchmark;
	const char *metric, *function; /* NULL = whatever regressed */
	gboolean first_parent;
	gboolean restart; /* forget what is kept of this bisection */
	guint rounds;     /* 0 = as configured */
	gboolean store;
	const char *out_dir;
	Talk *talk;           /* of the bisection */
	Talk *check_talk;     /* of its checks */
	const GateHost *host; /* that they measure on; NULL = gate_host() */
} BisectRequest;
