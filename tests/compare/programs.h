/* SPDX-License-Identifier: Apache-2.0 */
/* Programs for the tests of verdicts: what each function costs on either side (tests/compare/synthetic.h). */
#pragma once

#include "tests/compare/synthetic.h"

static const SyntheticFunction steady[] = {
        {"main", 50, 50, "a.c", 90},
        {"main;hash", 200, 200, "a.c", 10},
        {"main;sort", 400, 400, "b.c", 30},
        {"main;render", 300, 300, "c.c", 50},
        {NULL, 0, 0, NULL, 0},
};
static const SyntheticFunction slower[] = {
        {"main", 50, 50, "a.c", 90},
        {"main;hash", 200, 300, "a.c", 10},
        {"main;sort", 400, 400, "b.c", 30},
        {"main;render", 300, 300, "c.c", 50},
        {NULL, 0, 0, NULL, 0},
};
/* hash costs 12 % more, which is 1 % of the total: it gates and no metric does. */
static const SyntheticFunction slightly_slower[] = {
        {"main", 5000, 5000, "a.c", 90},
        {"main;hash", 900, 1010, "b.c", 10},
        {"main;sort", 2000, 2000, "c.c", 30},
        {"main;render", 3000, 3000, "d.c", 50},
        {NULL, 0, 0, NULL, 0},
};
static const SyntheticFunction slightly_steady[] = {
        {"main", 5000, 5000, "a.c", 90},
        {"main;hash", 900, 900, "b.c", 10},
        {"main;sort", 2000, 2000, "c.c", 30},
        {"main;render", 3000, 3000, "d.c", 50},
        {NULL, 0, 0, NULL, 0},
};
