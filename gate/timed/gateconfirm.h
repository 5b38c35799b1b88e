/* SPDX-License-Identifier: Apache-2.0 */
/* A regression is measured once more, in a campaign of its own with a new order of rounds and new padding, if the time
 * allows. compare/timed/confirmation.h says what becomes of the verdict. */
#pragma once

#include "gate/timed/gatecampaign.h"

/* Confirms `comparison`, made from the campaign `first`, or notes why not. Does nothing unless it is a regression. */
void gate_confirm(const GateCampaign *first, const BudgetShare *share, BenchmarkComparison *comparison);
