/* SPDX-License-Identifier: Apache-2.0 */
/* Damage out of the way, without losing what it was.
 *
 * A damaged baseline is never read, and a damaged ref never written to. So that its commit can be measured and stored
 * again, what is damaged goes to a folder of its own, `<git folder>/firebreak/damaged/<SHA of the commit>-<number>/`:
 *
 *     why           what is damaged, one line each
 *     ref           the ref's value, or the content of its file
 *     <object id>   the file of each git object that git cannot read, as it is
 *     <n>.<name>    files of damaged baselines that git could read: manifest.json, stacks, campaign.json
 *
 * A write that replaces a damaged baseline keeps it there, too (`why` and the files).
 * What is sound of the commit stays in the store. Nobody reads that folder; it can be deleted. */
#pragma once

#include "baselines/store.h"
#include "core/finding.h"

/* Sets aside what is damaged of every commit. Each becomes a finding `baseline_corrupt`; *n_commits is how many had
 * damage. Errors: FIREBREAK_ERROR_STORAGE; then the damage that is left is still where it was. */
gboolean baselines_quarantine(BaselineStore *store, FindingList *findings, guint *n_commits, GError **error);
