/* SPDX-License-Identifier: Apache-2.0 */
/* Tells where the refs of baselines are. */
#pragma once

/* The prefix unless the user sets another. */
#define BASELINE_STORE_PREFIX "refs/firebreak/"
