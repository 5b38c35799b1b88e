/* SPDX-License-Identifier: Apache-2.0 */
/* The tests of YAML share how a text is parsed, and what an error says. */
#pragma once

#include "core/yamltree.h"

#include "core/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static inline YamlNode *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	YamlNode *node = yaml_parse(text, strlen(text), "firebreak.yml", &error);
	if (node == NULL)
		fail_msg("%s", error->message);
	return node;
}

static inline void check_error(const GError *error, const char *expected)
{
	assert_non_null(error);
	assert_int_equal(error->domain, FIREBREAK_ERROR);
	assert_int_equal(error->code, FIREBREAK_ERROR_USAGE);
	assert_string_equal(error->message, expected);
}
