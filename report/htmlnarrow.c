#include "report/htmlnarrow.h"

#include "profile/hotspots.h"

/* The larger of a stack's shares of both sides, with all above it; by StackId. Owned by the caller. */
static double *shares_of(const Profile *base, const Profile *head)
{
	guint n = stack_table_n_stacks(base->table);
	g_autofree ProfileCell *of_base = hotspots_subtree_costs(base), *of_head = hotspots_subtree_costs(head);
	double *shares = g_new(double, n);
	for (guint i = 0; i < n; i++)
		shares[i] = MAX(hotspots_share(of_base[i].weight, of_base[0].weight),
		        hotspots_share(of_head[i].weight, of_head[0].weight));
	return shares;
}

static int by_size(gconstpointer left, gconstpointer right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return a > b ? -1 : a < b;
}

/* The share that a stack must have to stay; 0 if all may. */
static double least_share(const double *shares, guint n, guint max_stacks)
{
	if (n <= max_stacks)
		return 0;
	g_autofree double *sorted = g_memdup2(shares, n * sizeof *shares);
	qsort(sorted, n, sizeof *sorted, by_size);
	for (guint i = max_stacks; i > 0; i--)
		if (sorted[i - 1] > sorted[i])
			return sorted[i - 1];
	return sorted[0];
}

/* A copy in which each stack's own cost belongs to `to`[StackId]. */
static Profile *moved(const Profile *profile, const StackId *to)
{
	Profile *copy = profile_new(profile->table, profile->event, profile->unit);
	for (guint run = 0; run < profile_n_runs(profile); run++) {
		const GArray *column = g_ptr_array_index(profile->runs, run);
		profile_add_run(copy);
		for (guint i = 0; i < column->len; i++) {
			ProfileCell cell = g_array_index(column, ProfileCell, i);
			if (cell.weight > 0 || cell.samples > 0)
				profile_add(copy, run, to[i], cell);
		}
	}
	return copy;
}

NarrowedProfiles *narrowed_profiles_new(const Profile *base, const Profile *head, guint max_stacks)
{
	guint n = stack_table_n_stacks(base->table);
	NarrowedProfiles *narrowed = g_new0(NarrowedProfiles, 1);
	g_autofree double *shares = shares_of(base, head);
	g_autofree StackId *to = g_new(StackId, n);
	narrowed->least_share = least_share(shares, n, max_stacks);
	to[0] = STACK_ROOT;
	for (guint32 i = 1; i < n; i++) {
		StackId stack = {i};
		to[i] = shares[i] >= narrowed->least_share ? stack : to[stack_table_parent(base->table, stack).index];
	}
	narrowed->base = moved(base, to);
	narrowed->head = moved(head, to);
	return narrowed;
}

void narrowed_profiles_free(NarrowedProfiles *narrowed)
{
	if (narrowed == NULL)
		return;
	profile_free(narrowed->base);
	profile_free(narrowed->head);
	g_free(narrowed);
}
