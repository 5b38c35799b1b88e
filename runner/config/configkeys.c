/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/config/configkeys.h"

#include "model/engine.h"
#include "runner/config/configenv.h"
#include "runner/config/configjudges.h"
#include "runner/config/configlookup.h"
#include "runner/config/configvalues.h"

#include <stddef.h>

#define IN(where, key) .section = CONFIG_IN_##where, .name = (key)
#define FIELD(type, name) .field = offsetof(type, name)
#define NO_FIELD .field = CONFIG_NO_FIELD
#define NUMBER(least, most) .type = CONFIG_INTEGER, .min = (least), .max = (most)
#define MAX_BENCHMARKS 1000
#define MAX_ACCEPT 200 /* those that base has, too, can be removed */

static const char *const privileges[] = {"none", "allow", NULL};
static const char *const error_output[] = {"judge", "allow", NULL};
static const char *const files_sides[] = {"base", "head", NULL};  /* in the order of FilesFrom */
static const char *const sources[] = {"config", "trailer", NULL}; /* in the order of AcceptFrom */

/* clang-format off */
static const ConfigKey keys[] = {
	{IN(ROOT, "version"), NO_FIELD, NUMBER(1, 1), .required = TRUE,
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "`1`, the version of this format"},
	{IN(ROOT, "build"), .type = CONFIG_SECTION, NO_FIELD, .absent = "nothing is built",
		.weaker = CONFIG_WEAKER_INSIDE,
		.meaning = "how a commit is built"},
	{IN(ROOT, "calibrate_every"), NUMBER(0, 1000), FIELD(Config, calibrate_every), .value = "0",
		.weaker = CONFIG_WEAKER_HIGHER, .compare = config_weaker_calibration,
		.weakens_if = "is larger, or `0`",
		.meaning = "one check in so many, chosen by the SHA of head, also compares base with itself; {bounds}, `0`: none"},
	{IN(ROOT, "baselines"), .type = CONFIG_SECTION, NO_FIELD, .absent = "see below",
		.weaker = CONFIG_WEAKER_INSIDE,
		.meaning = "what is made of stored measurements"},
	{IN(ROOT, "env"), .type = CONFIG_TEXTS, FIELD(Config, pass_env), .check = config_check_env, .absent = "none",
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "names of environment variables that builds and benchmarks may see"},
	{IN(ROOT, "defaults"), .type = CONFIG_SECTION, NO_FIELD, .absent = "none",
		.weaker = CONFIG_WEAKER_INSIDE,
		.meaning = "settings of all benchmarks that do not say otherwise"},
	{IN(ROOT, "benchmarks"), .type = CONFIG_SECTION, NO_FIELD, .min = 1, .max = MAX_BENCHMARKS, .required = TRUE,
		.weaker = CONFIG_WEAKER_INSIDE,
		.kind = "list of mappings", .meaning = "{bounds} benchmarks; nothing measured is never a pass"},
	{IN(ROOT, "accept"), .type = CONFIG_SECTION, NO_FIELD, .max = MAX_ACCEPT, .absent = "none",
		.weaker = CONFIG_WEAKER_INSIDE,
		.kind = "list of mappings", .meaning = "regressions that are intended, at most {max}", .more = "; [below](#accept)"},
	{IN(ROOT, "accept_from"), .type = CONFIG_OTHER, FIELD(Config, accept_from), .read = config_read_sources,
		.choices = sources, .value = "[config, trailer]",
		.weaker = CONFIG_WEAKER_HIGHER, .compare = config_weaker_sources,
		.weakens_if = "allows more",
		.kind = "list, or `none`", .meaning = "where a regression may be accepted", .more = "; [below](#accept_from)"},

	{IN(BUILD, "command"), .type = CONFIG_COMMAND, FIELD(Config, build_command), .absent = "nothing is built",
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "runs in the root of a fresh checkout; must exit with 0"},
	{IN(BUILD, "timeout"), .type = CONFIG_DURATION, FIELD(Config, build_timeout_ms), .value = "30m",
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "for the build of one side"},
	{IN(BUILD, "privileges"), .type = CONFIG_CHOICE, FIELD(Config, build_privileges), .choices = privileges,
		.value = "none",
		.weaker = CONFIG_WEAKER_HIGHER, .says = "programs of the build may gain privileges",
		.weakens_if = "is `allow`",
		.meaning = "`allow`: programs of the build may gain privileges",
		.more = "; [below](#privileges). Base's configuration decides for both sides"},

	{IN(BASELINES, "anchor"), .type = CONFIG_TEXT, FIELD(Config, anchor), .check = config_check_anchor,
		.value = CONFIG_ANCHOR_RELEASE,
		.weaker = CONFIG_WEAKER_CHANGED, .compare = config_weaker_anchor,
		.weakens_if = "is another, where drift gates",
		.meaning = "the commit that head is compared with for slow drift, by counts: `release` (the last release tag before base), `none`, a number of commits before base (1 to 10000), or a revision"},
	{IN(BASELINES, "drift_margin"), .type = CONFIG_PERCENTAGE, FIELD(Config, drift_margin), .value = "5%",
		.weaker = CONFIG_WEAKER_HIGHER, .compare = config_weaker_drift_margin,
		.weakens_if = "is larger, where drift gates",
		.meaning = "a larger rise since the anchor is the finding `drift`"},
	{IN(BASELINES, "gate_drift"), .type = CONFIG_BOOLEAN, FIELD(Config, gate_drift), .value = "false",
		.weaker = CONFIG_WEAKER_LOWER, .says = "drift no longer gates",
		.meaning = "drift that head adds to is a regression",
		.more = ", unless what it adds is [accepted](HISTORY.md#slow-drift)"},

	{IN(BENCHMARK, "name"), .type = CONFIG_TEXT, FIELD(ConfigBenchmark, name), .check = config_check_name,
		.required = TRUE,
		.weaker = CONFIG_WEAKER_CHANGED, .says = "the benchmark is removed",
		.meaning = "unique; 1 to 64 letters, digits, `.`, `_`, `-`, not starting with `.` or `-`"},
	{IN(BENCHMARK, "command"), .type = CONFIG_COMMAND, FIELD(ConfigBenchmark, command), .required = TRUE,
		.weaker = CONFIG_WEAKER_CHANGED, .says = "its command is changed",
		.meaning = "does a fixed amount of work, waits for all of it, and exits with 0"},
	{IN(BENCHMARK, "cwd"), .type = CONFIG_TEXT, FIELD(ConfigBenchmark, cwd), .check = config_check_cwd, .value = ".",
		.weaker = CONFIG_WEAKER_CHANGED, .says = "its command is changed",
		.meaning = "the folder below the root of the checkout in which it runs"},
	{IN(BENCHMARK, "files"), .type = CONFIG_TEXTS, FIELD(ConfigBenchmark, files), .max = 64,
		.check = config_check_files, .absent = "not said",
		.weaker = CONFIG_WEAKER_FEWER, .says = "{} is no longer one of its files",
		.meaning = "files and folders below the root that make the benchmark, at most {max}: both sides run the same version of them",
		.more = "; [below](#files-of-a-benchmark)"},
	{IN(BENCHMARK, "files_from"), .type = CONFIG_CHOICE, FIELD(ConfigBenchmark, files_from), .choices = files_sides,
		.value = "base",
		.weaker = CONFIG_WEAKER_HIGHER, .says = "head's version of its files is run",
		.weakens_if = "is `head`",
		.meaning = "whose version of `files` both sides run, once base has the benchmark: `base` or `head`",
		.more = "; [below](#files-of-a-benchmark)"},
	{IN(BENCHMARK, "work"), .type = CONFIG_OTHER, FIELD(ConfigBenchmark, work), .read = config_read_work,
		.min = 1e-9, .max = 1e18, .value = "1",
		.weaker = CONFIG_WEAKER_CHANGED, .compare = config_weaker_work,
		.kind = "number, or `reported`",
		.meaning = "units of work of one run; costs are reported per unit, peaks and own metrics are not. `reported`: every run says how many itself",
		.more = " ([REGION.md](REGION.md#own-metrics-and-units-of-work)); without it a run that does so is invalid"},
	{IN(BENCHMARK, "framework"), .type = CONFIG_CHOICE, FIELD(ConfigBenchmark, framework), .choices = config_frameworks,
		.value = "auto",
		.weaker = CONFIG_WEAKER_CHANGED, .says = "its framework is changed",
		.meaning = "what the benchmark is written with: firebreak fixes its iterations, reads how many it did, and reports costs per iteration. `auto`: a program that calibrates itself is recognised and refused; `none`: the command does a fixed amount of work whatever it is written with",
		.more = "; [FRAMEWORKS.md](FRAMEWORKS.md)"},
	{IN(BENCHMARK, "filter"), .type = CONFIG_TEXT, FIELD(ConfigBenchmark, filter), .check = config_check_filter,
		.absent = "all cases",
		.weaker = CONFIG_WEAKER_CHANGED, .says = "its filter is changed",
		.meaning = "the cases of the framework that are run, as it wants that written; that none matches is an error"},
	{IN(BENCHMARK, "iterations"), NUMBER(1, 1e9), FIELD(ConfigBenchmark, iterations), .zero = "auto", .value = "auto",
		.weaker = CONFIG_WEAKER_CHANGED, .says = "its iterations are changed",
		.meaning = "iterations of each case in one run, {bounds}, where the framework can fix them; `auto`: chosen once on base, the same for both sides"},
	{IN(BENCHMARK, "engines"), .type = CONFIG_TEXTS, FIELD(ConfigBenchmark, engines), .choices = engine_choices,
		.max = ENGINE_CHOICES, .value = "[perf]",
		.weaker = CONFIG_WEAKER_FEWER, .says = "the engine {} is dropped",
		.kind = "list",
		.meaning = "how it is measured: `perf` (time, counters, samples), `callgrind` (counted instructions), or both",
		.more = "; [below](#callgrind)"},
	{IN(BENCHMARK, "metrics"), .type = CONFIG_TEXTS, FIELD(ConfigBenchmark, metrics), .max = 64,
		.check = config_check_metrics, .engine = &engine_perf, .absent = "none",
		.weaker = CONFIG_WEAKER_FEWER, .says = "its metric {} is dropped",
		.meaning = "what the benchmark reports itself to the engine `perf`, at most {max} names of `a-z`, `0-9` and `-`",
		.more = "; [REGION.md](REGION.md)"},

	{IN(BENCHMARK, "timeout"), .type = CONFIG_DURATION, FIELD(ConfigBenchmark, timeout_ms), .in_defaults = TRUE,
		.value = "60s",
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "for one run, a hundred times as long under callgrind; a run that overruns it makes the measurement invalid"},
	{IN(BENCHMARK, "sampling"), NUMBER(10, 20000), FIELD(ConfigBenchmark, sampling_hz), .in_defaults = TRUE,
		.engine = &engine_perf, .value = "1999",
		.weaker = CONFIG_WEAKER_LOWER, .says = "sampling is cut to {} Hz",
		.meaning = "samples per second at most, {bounds}",
		.more = "; each round draws a rate of its own, from nine tenths of it on, so that samples do not beat with what the program does"},
	{IN(BENCHMARK, "cpus"), NUMBER(1, 1024), FIELD(ConfigBenchmark, cpus), .in_defaults = TRUE,
		.engine = &engine_perf, .value = "1",
		.weaker = CONFIG_WEAKER_CHANGED, .says = "the number of its CPUs is changed",
		.meaning = "CPUs that a run is pinned to, {bounds}; both sides get the same ones"},
	{IN(BENCHMARK, "schedule"), .type = CONFIG_CHOICE, FIELD(ConfigBenchmark, schedule), .choices = config_schedules,
		.in_defaults = TRUE, .engine = &engine_perf, .value = "auto",
		.weaker = CONFIG_WEAKER_POLICY, .weakens_if = "has larger default margins",
		.meaning = "`coscheduled`: both runs of a round share the CPUs and are alternated by the kernel; `sequential`: one after the other; `auto`: the first wherever that is possible",
		.more = "; below"},
	{IN(BENCHMARK, "rounds"), NUMBER(1, 62), FIELD(ConfigBenchmark, rounds), .zero = "auto", .in_defaults = TRUE,
		.engine = &engine_perf, .value = "auto",
		.weaker = CONFIG_WEAKER_LOWER, .says = "rounds are cut to {}",
		.weakens_if = "is lower, or a number where it was `auto`",
		.meaning = "`auto`: as many as the verdict needs, from 8 to 20; with more gating metrics in the whole check a few more (9 to 21 with 2, 13 to 25 with 32); a number from {bounds}: exactly so many"},
	{IN(BENCHMARK, "layouts"), NUMBER(1, 16), FIELD(ConfigBenchmark, layouts), .in_defaults = TRUE,
		.engine = &engine_perf, .value = "1",
		.weaker = CONFIG_WEAKER_LOWER, .says = "layouts are cut to {}",
		.meaning = "links of each side that take turns, {bounds}", .more = "; below"},
	{IN(BENCHMARK, "waits"), .type = CONFIG_BOOLEAN, FIELD(ConfigBenchmark, waits), .in_defaults = TRUE,
		.engine = &engine_perf, .value = "false",
		.weaker = CONFIG_WEAKER_HIGHER, .says = "its runs may wait longer",
		.meaning = "waiting is part of what the benchmark does, so a head that waits much longer can pass",
		.more = " ([below](#waiting))"},
	{IN(BENCHMARK, "yardstick"), .type = CONFIG_BOOLEAN, FIELD(ConfigBenchmark, yardstick), .in_defaults = TRUE,
		.engine = &engine_perf, .value = "true",
		.weaker = CONFIG_WEAKER_LOWER, .says = "the yardstick is switched off",
		.meaning = "whether a fixed program of firebreak's own runs in every round, too; what it shows about the machine is in the report"},
	{IN(BENCHMARK, "privileges"), .type = CONFIG_CHOICE, FIELD(ConfigBenchmark, privileges), .choices = privileges,
		.in_defaults = TRUE, .value = "none",
		.weaker = CONFIG_WEAKER_HIGHER, .says = "its programs may gain privileges",
		.weakens_if = "is `allow`",
		.meaning = "`allow`: programs of a run may gain privileges", .more = "; [below](#privileges)"},
	{IN(BENCHMARK, "error_output"), .type = CONFIG_CHOICE, FIELD(ConfigBenchmark, error_output), .choices = error_output,
		.in_defaults = TRUE, .value = "judge",
		.weaker = CONFIG_WEAKER_HIGHER, .says = "errors that its runs print are no longer judged",
		.weakens_if = "is `allow`",
		.meaning = "`allow`: lines that read as errors are intended, and ignored",
		.more = "; [below](#what-makes-a-run-invalid)"},
	{IN(BENCHMARK, "measure"), .type = CONFIG_CHOICE, FIELD(ConfigBenchmark, measure), .choices = config_measure_scopes,
		.in_defaults = TRUE, .value = "whole",
		.weaker = CONFIG_WEAKER_CHANGED, .compare = config_weaker_measure,
		.meaning = "`region`: only what the benchmark itself switches on and off", .more = "; [REGION.md](REGION.md)"},
	{IN(BENCHMARK, "unwind"), .type = CONFIG_CHOICE, FIELD(ConfigBenchmark, unwind), .choices = config_unwinders,
		.in_defaults = TRUE, .engine = &engine_perf, .value = "leaf-repair",
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "how stacks are followed: `frame-pointers`, `leaf-repair` or `dwarf`", .more = "; [REGION.md](REGION.md)"},
	{IN(BENCHMARK, "stack_bytes"), NUMBER(256, 65528), /* 65528: the most that the kernel takes with a sample */
		FIELD(ConfigBenchmark, stack_bytes), .in_defaults = TRUE, .engine = &engine_perf,
		.absent = "chosen in the warm-up, up to 32768",
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "piece of stack that is looked at with each sample, {bounds}",
		.more = "; [STACKS.md](STACKS.md#the-size-of-the-piece)"},
	{IN(BENCHMARK, "profiles"), .type = CONFIG_TEXTS, FIELD(ConfigBenchmark, profiles), .max = 8,
		.check = config_check_profiles, .in_defaults = TRUE, .engine = &engine_perf, .absent = "none",
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "extra profiles, which decide nothing: `off-cpu` and names of events; at most {max}",
		.more = "; [REGION.md](REGION.md)"},
	{IN(BENCHMARK, "cache"), .type = CONFIG_BOOLEAN, FIELD(ConfigBenchmark, cache), .in_defaults = TRUE,
		.engine = &engine_callgrind, .value = "false",
		.weaker = CONFIG_WEAKER_LOWER, .says = "the simulation of caches is switched off",
		.meaning = "whether callgrind also simulates caches and branch prediction"},
	{IN(BENCHMARK, "heap"), .type = CONFIG_BOOLEAN, FIELD(ConfigBenchmark, heap), .in_defaults = TRUE,
		.engine = &engine_callgrind, .value = "false",
		.weaker = CONFIG_WEAKER_LOWER, .says = "the run that counts heap memory is switched off",
		.meaning = "whether one more run under valgrind counts bytes of heap memory"},
	{IN(BENCHMARK, "call_depth"), NUMBER(1, 200), /* callgrind itself knows no limit, but its time and memory do */
		FIELD(ConfigBenchmark, call_depth), .in_defaults = TRUE, .engine = &engine_callgrind, .value = "100",
		.weaker = CONFIG_WEAKER_LOWER, .says = "the depth of call paths is cut to {}",
		.meaning = "functions of a call path that callgrind tells apart, from the innermost on; {bounds}"},
	{IN(BENCHMARK, "gate"), .type = CONFIG_SECTION, NO_FIELD, .in_defaults = TRUE, .absent = "below",
		.weaker = CONFIG_WEAKER_INSIDE,
		.meaning = "which metrics gate, and how strictly"},

	{IN(GATE, "functions"), .type = CONFIG_OTHER, FIELD(ConfigBenchmark, gate_functions), .read = config_read_functions,
		.value = "true",
		.weaker = CONFIG_WEAKER_LOWER, .compare = config_weaker_functions,
		.weakens_if = "is `false`, or `true` where it was `strict`",
		.kind = "`true`, `false` or `strict`",
		.meaning = "whether a single function can fail the gate: `true`, where the total is not shown to be below its margin; `strict`, also where it is; `false`, never"},
	{IN(GATE, "METRIC"), .type = CONFIG_SECTION, NO_FIELD, .absent = "",
		.weaker = CONFIG_WEAKER_INSIDE,
		.meaning = "how this metric is judged, one of the tables below or of the benchmark's `metrics`; the keys below"},
	{IN(METRIC, "margin"), .type = CONFIG_PERCENTAGE, FIELD(ConfigGate, margin), .absent = "by metric",
		.weaker = CONFIG_WEAKER_POLICY, .weakens_if = "is larger",
		.meaning = "regression if the change for the worse is shown to be larger than this"},
	{IN(METRIC, "pass_margin"), .type = CONFIG_PERCENTAGE, FIELD(ConfigGate, pass_margin), .absent = "by metric",
		.weaker = CONFIG_WEAKER_POLICY, .weakens_if = "is larger",
		.meaning = "pass if the change is shown to be smaller than this; not smaller than `margin`"},
	{IN(METRIC, "gates"), .type = CONFIG_BOOLEAN, FIELD(ConfigGate, gates), .value = "true",
		.weaker = CONFIG_WEAKER_POLICY, .weakens_if = "is switched off",
		.meaning = "`false`: the metric is compared and shown, but decides nothing"},

	{IN(ACCEPT, "benchmark"), .type = CONFIG_TEXT, FIELD(ConfigAccept, benchmark), .required = TRUE,
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "the name of a benchmark"},
	{IN(ACCEPT, "function"), .type = CONFIG_TEXT, FIELD(ConfigAccept, function), .absent = "whatever regressed",
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "a function as reports name it, in whatever module"},
	{IN(ACCEPT, "until"), .type = CONFIG_OTHER, FIELD(ConfigAccept, until), .read = config_read_until, .absent = "none",
		.weaker = CONFIG_WEAKER_NEVER,
		.kind = "date", .meaning = "the last day that counts, such as `2026-12-31`"},
	{IN(ACCEPT, "reason"), .type = CONFIG_TEXT, FIELD(ConfigAccept, reason), .check = config_check_reason,
		.required = TRUE,
		.weaker = CONFIG_WEAKER_NEVER,
		.meaning = "for those who read the report; at most 1000 characters"},
};
/* clang-format on */

const ConfigKey *config_key(gsize index)
{
	return index < G_N_ELEMENTS(keys) ? &keys[index] : NULL;
}

const ConfigKey *config_key_find(ConfigSection section, const char *name)
{
	gsize i = 0;
	while (keys[i].section != section || !g_str_equal(keys[i].name, name))
		i++;
	return &keys[i];
}

ConfigKeySet config_key_set(const ConfigKey *key)
{
	if (!key->in_defaults)
		return CONFIG_OWN_KEYS;
	return key->engine == &engine_callgrind ? CONFIG_COUNTED_KEYS : CONFIG_SHARED_KEYS;
}

/* --- texts --- */

char *config_key_path(const ConfigKey *key)
{
	static const char *const sections[CONFIG_N_SECTIONS] = {
	        [CONFIG_IN_ROOT] = "",
	        [CONFIG_IN_BUILD] = "build.",
	        [CONFIG_IN_BASELINES] = "baselines.",
	        [CONFIG_IN_BENCHMARK] = "benchmarks[].",
	        [CONFIG_IN_GATE] = "benchmarks[].gate.",
	        [CONFIG_IN_METRIC] = "benchmarks[].gate.METRIC.",
	        [CONFIG_IN_ACCEPT] = "accept[].",
	};
	return g_strconcat(sections[key->section], key->name, NULL);
}

char *config_key_kind(const ConfigKey *key)
{
	static const char *const types[] = {
	        [CONFIG_SECTION] = "mapping",
	        [CONFIG_INTEGER] = "integer",
	        [CONFIG_BOOLEAN] = "boolean",
	        [CONFIG_CHOICE] = "choice",
	        [CONFIG_DURATION] = "duration",
	        [CONFIG_PERCENTAGE] = "percentage",
	        [CONFIG_TEXT] = "text",
	        [CONFIG_TEXTS] = "list of texts",
	        [CONFIG_COMMAND] = "command",
	};
	if (key->kind != NULL)
		return g_strdup(key->kind);
	return key->zero != NULL ? g_strdup_printf("`%s` or %s", key->zero, types[key->type])
	                         : g_strdup(types[key->type]);
}

char *config_key_default(const ConfigKey *key)
{
	if (key->required)
		return g_strdup("required");
	return key->value != NULL ? g_strdup_printf("`%s`", key->value) : g_strdup(key->absent);
}

char *config_key_bounds(const ConfigKey *key)
{
	return key->min < key->max ? g_strdup_printf("%.10g to %.10g", key->min, key->max) : NULL;
}

char *config_key_meaning(const ConfigKey *key)
{
	g_autofree char *bounds = config_key_bounds(key), *max = g_strdup_printf("%.10g", key->max);
	GString *text = g_string_new(key->meaning);
	g_string_replace(text, "{bounds}", bounds != NULL ? bounds : "", 0);
	g_string_replace(text, "{max}", max, 0);
	return g_string_free(text, FALSE);
}
