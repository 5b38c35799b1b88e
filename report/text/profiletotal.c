/* SPDX-License-Identifier: Apache-2.0 */
#include "report/text/profiletotal.h"

#include "model/numbers/number.h"

#include <string.h>

static ProfileCell total_of(const Profile *profile)
{
	ProfileCell total = {0};
	for (guint run = 0; run < profile_n_runs(profile); run++) {
		ProfileCell of_run = profile_run_total(profile, run);
		total.samples += of_run.samples;
		total.weight += of_run.weight;
	}
	return total;
}

/* " of cpu-clock", or nothing where the unit says it. */
static char *say_event(const Profile *profile)
{
	gboolean is_said = *profile->event == '\0' || strcmp(profile->event, profile->unit) == 0;
	return is_said ? g_strdup("") : g_strconcat(" of ", profile->event, NULL);
}

char *profile_total_text(const Profile *profile, gboolean counted, double factor)
{
	ProfileCell total = total_of(profile);
	double cost = factor * (double)total.weight / (double)profile->scale;
	g_autofree char *samples = number_count(total.samples), *count = number_parts(cost, profile->scale);
	g_autofree char *value = number_value(cost, profile->unit);
	g_autofree char *of_event = say_event(profile);
	if (strcmp(profile->unit, "samples") == 0)
		return g_strdup_printf("%s sample%s%s", count, strcmp(count, "1") == 0 ? "" : "s", of_event);
	if (strcmp(profile->unit, "counts") == 0)
		return g_strdup_printf("%s count%s%s", count, strcmp(count, "1") == 0 ? "" : "s", of_event);
	if (counted)
		return g_strconcat(value, of_event, NULL);
	return g_strdup_printf("%s%s in %s sample%s", value, of_event, samples, total.samples == 1 ? "" : "s");
}

char *profile_total_named(const Profile *profile, const char *name, double factor)
{
	double cost = factor * (double)total_of(profile).weight / (double)profile->scale;
	g_autofree char *count = number_parts(cost, profile->scale), *of_event = say_event(profile);
	return g_strdup_printf("%s %s%s", count, name, of_event);
}
