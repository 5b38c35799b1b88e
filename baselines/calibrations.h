/* SPDX-License-Identifier: Apache-2.0 */
/* A/A campaigns kept beside the baselines, in the same store: under the commit that ran on both sides.
 *
 * Every campaign is an entry of its own; storing the same one twice changes nothing. The stored form is JSON, described
 * in docs/FORMATS.md. */
#pragma once

#include "baselines/store.h"
#include "core/finding.h"
#include "model/calibration.h"

/* Newest campaigns that calibrations_list() reads. */
#define CALIBRATIONS_MAX 200

/* Errors: as baseline_store_put(). */
gboolean calibrations_put(BaselineStore *store, const Calibration *calibration, GError **error);
/* With more commits in the store than this, calibrations_list() looks only at the newest of the history. */
#define CALIBRATIONS_MAX_COMMITS 5000

/* The A/A campaigns of a benchmark on this kind of machine, newest first (by time, then commit, then seed): a GPtrArray
 * of Calibration, empty if there is none. Those of all commits in the store, or, where these are more than
 * CALIBRATIONS_MAX_COMMITS, of so many newest ones that HEAD and the branches lead to. `fingerprint` NULL = any
 * machine. Damaged entries are findings, not errors. Owned by the caller. */
GPtrArray *calibrations_list(
        BaselineStore *store, const char *benchmark, const char *fingerprint, FindingList *findings, GError **error);
