/* SPDX-License-Identifier: Apache-2.0 */
/* A test with a folder of its own, that is gone afterwards. */
#pragma once

#include "tests/profile/compiled.h"

typedef struct {
	char *folder;
} Example;

static inline int set_up(void **state)
{
	Example *e = g_new0(Example, 1);
	e->folder = new_folder();
	*state = e;
	return 0;
}

static inline int tear_down(void **state)
{
	Example *e = *state;
	remove_folder(e->folder);
	g_free(e->folder);
	g_free(e);
	return 0;
}
