/* SPDX-License-Identifier: Apache-2.0 */
#include "runner/campaign/shardjob.h"

#include "core/error.h"

#define OWN_INDEX "FIREBREAK_SHARD_INDEX"
#define OWN_TOTAL "FIREBREAK_SHARD_TOTAL"

typedef struct {
	const char *name, *index, *total;
	guint64 first;         /* number of the first job; unused with `min` */
	const char *min, *max; /* variables with the first and the last number, for numbers that are chosen freely */
	gboolean says_total_alone; /* jobs that are not split have a total of 1 and no index */
} Service;

/* The first row goes before all others. */
static const Service services[] = {
        {"firebreak", OWN_INDEX, OWN_TOTAL, .first = 0},
        {"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", .first = 1, .says_total_alone = TRUE},
        {"Buildkite", "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", .first = 0},
        {"CircleCI", "CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", .first = 0},
        {"Azure Pipelines", "SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE", .first = 1},
        {"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", .min = "SLURM_ARRAY_TASK_MIN",
                .max = "SLURM_ARRAY_TASK_MAX"},
        {"Kubernetes", "JOB_COMPLETION_INDEX", OWN_TOTAL, .first = 0},
};

static const char *value_of(EnvironmentLookup variable, const char *name)
{
	const char *value = variable(name);
	return value != NULL && *value != '\0' ? value : NULL;
}

static gboolean read_number(EnvironmentLookup variable, const char *name, guint64 max, guint64 *number, GError **error)
{
	const char *value = value_of(variable, name);
	if (value == NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s is not set", name);
	if (!g_ascii_string_to_unsigned(value, 10, 0, max, number, NULL))
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s is \"%s\": it takes a number up to %" G_GUINT64_FORMAT, name, value, max);
	return TRUE;
}

/* Numbers of a Slurm array: min, min + step, ..., max. A list such as 0,1,7 has no step that fits all of its jobs, so
 * at least one of them is refused, and `merge` misses it. */
static gboolean position_in_range(const Service *service, EnvironmentLookup variable, guint64 number, guint64 total,
        guint64 *position, GError **error)
{
	guint64 min = 0, max = 0;
	if (!read_number(variable, service->min, G_MAXUINT32, &min, error) ||
	        !read_number(variable, service->max, G_MAXUINT32, &max, error))
		return FALSE;
	guint64 steps = MAX(total, 2) - 1, step = max > min ? (max - min) / steps : 1;
	if (max < min || step == 0 || min + step * (total - 1) != max || number < min || (number - min) % step != 0)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s is %" G_GUINT64_FORMAT " of %" G_GUINT64_FORMAT " numbers from %" G_GUINT64_FORMAT
		        " to %" G_GUINT64_FORMAT ": use a range, --array=1-N or --array=A-B:STEP",
		        service->index, number, total, min, max);
	*position = (number - min) / step;
	return TRUE;
}

static gboolean read_service(const Service *service, EnvironmentLookup variable, Shard *shard, GError **error)
{
	guint64 number = 0, total = 0, position = 0;
	if (!read_number(variable, service->total, SHARDS_MAX, &total, error) ||
	        !read_number(variable, service->index, G_MAXUINT32, &number, error))
		return FALSE;
	if (total == 0)
		return firebreak_refuse(
		        error, FIREBREAK_ERROR_USAGE, "%s is 0: there is at least one job", service->total);
	if (service->min != NULL) {
		if (!position_in_range(service, variable, number, total, &position, error))
			return FALSE;
	} else {
		position = number - service->first; /* 0 - 1 is far beyond the total, too */
	}
	if (position >= total)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
		        "%s is %" G_GUINT64_FORMAT " with %s %" G_GUINT64_FORMAT ": %s counts from %" G_GUINT64_FORMAT
		        " to %" G_GUINT64_FORMAT,
		        service->index, number, service->total, total, service->name, service->first,
		        service->first + total - 1);
	*shard = (Shard){(guint)position + 1, (guint)total};
	return TRUE;
}

/* GitLab tells all jobs the total 1, and only those that are split an index. */
static gboolean is_whole(const Service *service, EnvironmentLookup variable)
{
	return service->says_total_alone && value_of(variable, service->index) == NULL &&
	       g_strcmp0(value_of(variable, service->total), "1") == 0;
}

/* The total of the first row may be meant for another one, so it says nothing alone. */
static gboolean says_something(const Service *service, EnvironmentLookup variable)
{
	return value_of(variable, service->index) != NULL ||
	       (!g_str_equal(service->total, OWN_TOTAL) && value_of(variable, service->total) != NULL);
}

static gboolean nothing_said(EnvironmentLookup variable, GError **error)
{
	if (value_of(variable, OWN_TOTAL) != NULL)
		return firebreak_refuse(error, FIREBREAK_ERROR_USAGE, "%s is set and %s is not: it counts from 0",
		        OWN_TOTAL, OWN_INDEX);
	g_autoptr(GString) names = g_string_new(NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(services); i++)
		g_string_append_printf(names, "%s%s", i > 0 ? ", " : "", services[i].index);
	return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
	        "this job is not split: none of %s is set; write i/n, or set %s (from 0) and %s", names->str, OWN_INDEX,
	        OWN_TOTAL);
}

gboolean shard_of_job(EnvironmentLookup variable, Shard *shard, GError **error)
{
	const Service *found = NULL;
	Shard read = {0};
	for (gsize i = 0; i < G_N_ELEMENTS(services) && found != &services[0]; i++) {
		const Service *service = &services[i];
		Shard one = {1, 1};
		if (!says_something(service, variable))
			continue;
		if (!is_whole(service, variable) && !read_service(service, variable, &one, error))
			return FALSE;
		if (found != NULL && (one.index != read.index || one.total != read.total))
			return firebreak_refuse(error, FIREBREAK_ERROR_USAGE,
			        "%s says %u/%u and %s says %u/%u: set %s (from 0) and %s", found->name, read.index,
			        read.total, service->name, one.index, one.total, OWN_INDEX, OWN_TOTAL);
		found = service;
		read = one;
	}
	if (found == NULL)
		return nothing_said(variable, error);
	*shard = read;
	return TRUE;
}
