/* SPDX-License-Identifier: Apache-2.0 */
/* One measurement of a bisection: a check of one commit against another, and what it says. */
#pragma once

#include "compare/bisect/bisectlog.h"
#include "core/git/repo.h"
#include "gate/request/gatehost.h"
#include "gate/request/talk.h"

/* The data that all checks of a bisection have in common; borrowed. */
typedef struct {
	const char *repo_path, *benchmark;
	guint rounds; /* of the first attempt; 0 = as configured */
	gboolean store;
	Talk *talk; /* of the checks themselves */
	const GateHost *host;
} BisectMeasure;

typedef struct {
	const char *base, *head;    /* full SHAs, or what a revision may be */
	const BisectTarget *target; /* NULL, or one without an engine: by all engines */
	guint attempt;              /* another one has more rounds, and counts base anew */
	const char *out_dir;        /* where its report will go; NULL = it has none */
	gboolean confirm;           /* measure a regression once more also where it is counted */
} BisectCheck;

/* The commit that another one is compared with, all as full SHAs: good if it descends from it, else the commit where
 * its branch left the line of good: what made good faster after that is not there, and does not make the branch slower.
 * Owned by the caller. */
char *bisect_base(Repo *repo, const char *good, const char *commit);

/* Owned by the caller. Sets *error, and returns NULL, if the check ended in a way that says nothing about the commit
 * and would end other checks, too: a signal, storage, environment, no usable baseline. */
CheckResult *bisect_measure(const BisectMeasure *measure, const BisectCheck *check, GError **error);
