/* SPDX-License-Identifier: Apache-2.0 */
#include "model/numbers/numberwords.h"

#include "model/numbers/number.h"

static const NumberWords measured = {
        .value = number_value,
        .change = number_change,
        .change_range = number_change_interval,
        .points = number_points,
        .points_range = number_points_interval,
};

static const NumberWords exact = {
        .value = number_counted,
        .change = number_count_change,
        .change_range = number_count_range,
        .points = number_count_points,
        .points_range = number_count_points_range,
};

const NumberWords *number_words(gboolean counted)
{
	return counted ? &exact : &measured;
}
