/* SPDX-License-Identifier: Apache-2.0 */
/* A/A campaigns: base against base, which show how often the gate cries wolf on this machine.
 *
 * They come from `check --calibrate`, and with `calibrate_every` from one check in so many; they are stored beside the
 * baselines, and every check reports what those of this kind of machine say. */
#pragma once

#include "gate/timed/gatecampaign.h"

/* Several campaigns are for what is timed: refuses them (FIREBREAK_ERROR_USAGE) where everything is counted, and says
 * of each benchmark that is only counted that there is one. */
gboolean gate_calibrate_accept(Gate *gate, GError **error);

/* With CHECK_CALIBRATE: keeps what the campaign `first` showed, and runs as many more as the request wants and the time
 * allows. Else does nothing. Errors: those of gate_campaign_run(), and of storing. */
gboolean gate_calibrate(Gate *gate, const GateCampaign *first, const BudgetShare *share,
        const BenchmarkComparison *comparison, GError **error);

/* With `calibrate_every`, when the turn of this check's head has come: one A/A campaign for each benchmark that was
 * measured, as far as the time allows. What fails here is a finding. */
void gate_calibrate_when_due(Gate *gate);

/* Sets what the A/A campaigns of this kind of machine say about a benchmark. What cannot be read is a finding. */
void gate_calibration_report(Gate *gate, ResultBenchmark *row);
