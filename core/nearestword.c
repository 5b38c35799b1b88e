/* SPDX-License-Identifier: Apache-2.0 */
#include "core/nearestword.h"

#include <string.h>

/* Longer words are not compared; no name that is suggested is so long. */
#define MAX_WORD 48

static char folded(char c)
{
	return c == '_' ? '-' : g_ascii_tolower(c);
}

/* Edits (insert, delete, replace, swap of neighbours) that make `a` of `b`, where case and `_` against `-` do not
 * count; MAX_WORD if one of them is too long. Optimal string alignment by dynamic programming. */
static guint edit_distance(const char *a, const char *b)
{
	gsize n = strlen(a), m = strlen(b);
	if (n >= MAX_WORD || m >= MAX_WORD)
		return MAX_WORD;
	guint d[MAX_WORD][MAX_WORD];
	for (gsize i = 0; i <= n; i++)
		d[i][0] = (guint)i;
	for (gsize j = 0; j <= m; j++)
		d[0][j] = (guint)j;
	for (gsize i = 1; i <= n; i++) {
		for (gsize j = 1; j <= m; j++) {
			guint replace = d[i - 1][j - 1] + (folded(a[i - 1]) != folded(b[j - 1]));
			d[i][j] = MIN(replace, MIN(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) &&
			        folded(a[i - 2]) == folded(b[j - 1]))
				d[i][j] = MIN(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[n][m];
}

const char *nearest_word(const char *word, const char *const *known)
{
	const char *best = NULL;
	guint best_distance = MAX(2, (guint)strlen(word) / 3) + 1;
	for (; *known != NULL; known++) {
		guint distance = edit_distance(word, *known);
		if (distance < best_distance && distance < strlen(*known)) {
			best = *known;
			best_distance = distance;
		}
	}
	return best;
}
