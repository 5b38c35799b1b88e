/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/comparison/inlinedshown.h"

#include <math.h>

#define SMALL_PART .1 /* of the largest contribution beside it: explains nothing */

InlinedShown inlined_parts_shown(const FunctionComparison *function, guint most)
{
	const GPtrArray *parts = function->inlined;
	InlinedShown shown = {.rest = function->contribution};
	if (parts == NULL || parts->len == 0)
		return (InlinedShown){0};
	double largest = fabs(((const InlinedPart *)parts->pdata[0])->contribution);
	double least = SMALL_PART * fmax(fabs(function->contribution), largest);
	while (shown.n < MIN(parts->len, most)) {
		const InlinedPart *part = parts->pdata[shown.n];
		if (part->contribution == 0 || !(fabs(part->contribution) >= least))
			break;
		shown.rest -= part->contribution;
		shown.n++;
	}
	if (shown.n == 0 || !(fabs(shown.rest) >= least))
		shown.rest = 0;
	return shown;
}
