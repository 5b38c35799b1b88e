#include "report/flame/flamediffwords.h"

#include "model/numbers/number.h"

char *diff_words_cost(gboolean counted, double cost, const char *unit)
{
	return counted ? number_counted(cost, unit) : number_value(cost, unit);
}

char *diff_words_points(gboolean counted, double share)
{
	return counted ? number_count_points(share) : number_points(share);
}

char *diff_words_change(gboolean counted, double ratio)
{
	return counted ? number_count_change(ratio) : number_change(ratio);
}

char *diff_words_range(gboolean counted, double lower, double upper)
{
	return counted ? number_count_points_range(lower, upper) : number_points_interval(lower, upper);
}

char *diff_words_interval(gboolean counted, const FunctionComparison *function)
{
	return diff_words_range(counted, function->contribution_lower, function->contribution_upper);
}
