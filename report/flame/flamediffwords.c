#include "report/flame/flamediffwords.h"

#include "report/words/wording.h"

char *diff_words_cost(gboolean counted, double cost, const char *unit)
{
	return counted ? wording_counted(cost, unit) : wording_value(cost, unit);
}

char *diff_words_points(gboolean counted, double share)
{
	return counted ? wording_count_points(share) : wording_points(share);
}

char *diff_words_change(gboolean counted, double ratio)
{
	return counted ? wording_count_change(ratio) : wording_change(ratio);
}

char *diff_words_range(gboolean counted, double lower, double upper)
{
	return counted ? wording_count_points_range(lower, upper) : wording_points_interval(lower, upper);
}

char *diff_words_interval(gboolean counted, const FunctionComparison *function)
{
	return diff_words_range(counted, function->contribution_lower, function->contribution_upper);
}
