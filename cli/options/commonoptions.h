/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of options that mean the same in every command that has them (options/option.h). Each is an initialiser of an
 * Option; `type` is the struct of the command, `member` where the value goes in it. */
#pragma once

#include "cli/options/option.h"
#include "cli/output/color.h"
#include "cli/output/rendering.h"

/* A ColorChoice. */
#define COLOR_OPTION(type, member)                                                                                     \
	{                                                                                                              \
		"color", 0, OPTION_CHOICE, "WHEN", "colours: auto (default), always or never", offsetof(type, member), \
		        .section = SECTION_OUTPUT, .choices = color_names                                              \
	}
/* An InconclusiveChoice. */
#define INCONCLUSIVE_OPTION(type, member)                                                                              \
	{                                                                                                              \
		"on-inconclusive", 0, OPTION_CHOICE, "WHAT",                                                           \
		        "what exit code 3 becomes: report (3), fail (1), or pass (0, if all was measured)",            \
		        offsetof(type, member), .section = SECTION_VERDICT, .choices = inconclusive_names              \
	}
/* An int; 0 = as configured. */
#define ROUNDS_OPTION(type, member, text)                                                                              \
	{                                                                                                              \
		"rounds", 0, OPTION_INT, "N", text, offsetof(type, member), .section = SECTION_MEASURING, .min = 1,    \
		                                                            .max = 62                                  \
	}
/* A list of texts. */
#define BENCHMARKS_OPTION(type, member)                                                                                \
	{                                                                                                              \
		"benchmark", 'b', OPTION_TEXTS, "NAME", "only this benchmark (repeatable)", offsetof(type, member),    \
		        .section = SECTION_GENERAL                                                                     \
	}
/* Flags of a command that prints the result of a check. */
#define REPORT_JSON_OPTION(type, member)                                                                               \
	{                                                                                                              \
		"json", 0, OPTION_FLAG, NULL, "print report.json instead of the text", offsetof(type, member),         \
		        .section = SECTION_OUTPUT                                                                      \
	}
#define VERDICT_ONLY_OPTION(type, member)                                                                              \
	{                                                                                                              \
		"quiet", 'q', OPTION_FLAG, NULL, "only the verdict", offsetof(type, member), .section = SECTION_OUTPUT \
	}
