/* SPDX-License-Identifier: Apache-2.0 */
/* The two measurements of a benchmark, as far as report.json has them, both ways: their runs, work and schedule. Their
 * profiles have the table that names the functions, and no runs (reportprofiles.h puts those in). */
#pragma once

#include "compare/result.h"
#include "core/jsontext.h"

/* The array `runs`: one object per round with what is known of its two runs. Owned by the caller. */
json_t *runs_json(const ResultBenchmark *benchmark);

typedef struct {
	const json_t *object; /* the benchmark in the report */
	const json_t *facts;  /* of its profile; null = nothing was sampled */
	StackTable *table;
	const char *name, *base_sha, *head_sha;
} RunsSource;

/* Sets *base and *head, each NULL if that side was not measured. A report without runs, of before there were any in it,
 * counts as one of head if anything was sampled. */
void read_runs(const RunsSource *source, Measurement **base, Measurement **head);
