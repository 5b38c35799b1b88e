/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/timed/waiting.h"

#include "compare/comparison/totals.h"
#include "compare/statistics/signedrank.h"
#include "model/engine.h"
#include "model/numbers/number.h"

#include <math.h>

/* One side, per round and unit of work. */
typedef struct {
	double *wait_ns, *share;
	guint known; /* rounds with a wait and with CPU time */
	double median_wait_ns, median_share, median_sum_ns, mean_work;
} Side;

static void side_clear(Side *side)
{
	g_free(side->wait_ns);
	g_free(side->share);
}

static Side side_of(const Measurement *measurement, guint rounds)
{
	const MetricSeries *wait = measurement_metric(measurement, &engine_perf, "wait");
	const MetricSeries *clock = measurement_metric(measurement, &engine_perf, "task-clock");
	Side side = {.wait_ns = g_new(double, rounds + 1), .share = g_new(double, rounds + 1)};
	g_autofree double *sums = g_new(double, rounds + 1);
	for (guint i = 0; i < rounds; i++) {
		double work = measurement_run_work(measurement, i);
		double cpu_ns = (clock != NULL ? metric_value(clock, i) : NAN) / work;
		side.wait_ns[i] = (wait != NULL ? metric_value(wait, i) : NAN) / work;
		sums[i] = side.wait_ns[i] + cpu_ns;
		side.share[i] = sums[i] > 0 ? cpu_ns / sums[i] : NAN;
		side.known += isfinite(side.wait_ns[i]) && side.share[i] > 0;
		side.mean_work += work / rounds;
	}
	side.median_wait_ns = totals_known_median(side.wait_ns, rounds);
	side.median_share = totals_known_median(side.share, rounds);
	side.median_sum_ns = totals_known_median(sums, rounds);
	return side;
}

/* The smallest change that is worth a word, per unit of work. */
static double floor_of(const Side *base)
{
	return MAX(WAITING_FLOOR_NS / base->mean_work, WAITING_FLOOR_SHARE * base->median_sum_ns);
}

/* Of the rounds in which both are known: the differences, and the log ratios of the shares. A side that used no CPU at
 * all has no share to compare: its work was done where it is not counted. */
static void pair_up(const Side *base, const Side *head, guint rounds, GArray *differences, GArray *ratios)
{
	for (guint i = 0; i < rounds; i++) {
		double difference = head->wait_ns[i] - base->wait_ns[i];
		double ratio = totals_log_ratio(base->share[i], head->share[i]);
		if (!isfinite(difference) || !isfinite(ratio))
			continue;
		g_array_append_val(differences, difference);
		g_array_append_val(ratios, ratio);
	}
}

static void judge(WaitingChange *change, double floor_ns, const GArray *differences, const GArray *ratios)
{
	guint c = signed_rank_critical(differences->len, WAITING_ALPHA);
	g_autoptr(GArray) walsh = walsh_averages((const double *)(void *)differences->data, differences->len);
	g_autoptr(GArray) shares = walsh_averages((const double *)(void *)ratios->data, ratios->len);
	change->change_ns = walsh_median(walsh);
	change->lower_ns = walsh_lower(walsh, c);
	change->upper_ns = walsh_upper(walsh, c);
	change->rose = change->lower_ns > floor_ns;
	change->fell = change->upper_ns < -floor_ns;
	change->shifted = change->rose && walsh_upper(shares, c) < log(WAITING_SHARE_LEFT);
}

/* TRUE if head lost what base has: half of its rounds, or more than base and so many that the rounds that are left of
 * both can tell nothing. */
static gboolean hides_wait(const Side *base, const Side *head, guint rounds, guint left)
{
	gboolean half = 2 * base->known > rounds && 2 * head->known <= rounds;
	gboolean more = head->known < base->known && base->known >= WAITING_MIN_ROUNDS;
	return half || (more && left < WAITING_MIN_ROUNDS);
}

WaitingChange waiting_compare(const Measurement *base, const Measurement *head, guint rounds)
{
	Side of_base = side_of(base, rounds), of_head = side_of(head, rounds);
	g_autoptr(GArray) differences = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) ratios = g_array_new(FALSE, FALSE, sizeof(double));
	pair_up(&of_base, &of_head, rounds, differences, ratios);
	WaitingChange change = {
	        .rounds = differences->len,
	        .base_ns = of_base.median_wait_ns,
	        .head_ns = of_head.median_wait_ns,
	        .base_share = of_base.median_share,
	        .head_share = of_head.median_share,
	        .change_ns = NAN,
	        .lower_ns = -INFINITY,
	        .upper_ns = INFINITY,
	        .unknown = hides_wait(&of_base, &of_head, rounds, differences->len),
	};
	if (differences->len > 0)
		judge(&change, floor_of(&of_base), differences, ratios);
	side_clear(&of_base);
	side_clear(&of_head);
	return change;
}

/* --- in words --- */

#define UNKNOWN_CAUSE "records were lost, or no CPU time was counted"

static char *interval_text(const WaitingChange *change)
{
	return number_difference(change->change_ns, change->lower_ns, change->upper_ns, "ns");
}

char *waiting_text(const WaitingChange *change)
{
	if (change->unknown)
		return g_strdup("the waiting time of base is known, that of head is not: " UNKNOWN_CAUSE);
	if (!change->rose && !change->fell)
		return NULL;
	g_autofree char *interval = interval_text(change);
	g_autofree char *head = number_value(change->head_ns, "ns"), *base = number_value(change->base_ns, "ns");
	return g_strdup_printf("head waits %s per unit of work, base %s (%s): all of its threads are blocked then, "
	                       "which CPU time does not show",
	        head, base, interval);
}

char *waiting_objection(const WaitingChange *change)
{
	if (change->unknown)
		return g_strdup("the waiting time of base is known, that of head is not: " UNKNOWN_CAUSE
		                ", so work may have moved to where it is not counted");
	if (!change->shifted)
		return NULL;
	g_autofree char *interval = interval_text(change);
	g_autofree char *head = number_about(change->head_share), *base = number_about(change->base_share);
	return g_strdup_printf("head waits %s longer than base, and uses the CPU for %s of its time instead of %s: "
	                       "it sleeps, or its work is done where it is not counted; if that is intended, "
	                       "set `waits: true` or gate `wait`",
	        interval, head, base);
}
