/* One check on its way: what the parts of the gate share. Internal to cli/gate.c and cli/gatebenchmark.c. */
#pragma once

#include "cli/gate.h"
#include "cli/policyset.h"
#include "core/repo.h"
#include "runner/basechoice.h"
#include "runner/campaign.h"
#include "runner/perfevent.h"
#include "runner/side.h"

typedef struct {
	const GateRequest *request;
	CheckResult *result;
	gboolean two_sides;
	Repo *repo;
	Choice choices[N_SIDES];
	Config *config;      /* the policy */
	Config *head_config; /* head's own, which says how head is built; NULL if it is the policy */
	PerfAbilities abilities;
	PolicyMachine machine;
	char *cache_dir, *campaign_dir, *compiler;
	Side sides[N_SIDES];
	guint endpoints;
} Gate;

/* Adds a failure to the result as a reason, and says it on stderr. `benchmark` may be NULL. */
void gate_add_failure(Gate *gate, const char *benchmark, const GError *error);

/* Measures one benchmark on both sides (or, with two_sides unset, on head), compares, and stores. What goes wrong is a
 * reason in the result; FALSE ends the check: the machine, not this benchmark, is the trouble. */
gboolean gate_benchmark(Gate *gate, const ConfigBenchmark *benchmark);
