/* SPDX-License-Identifier: Apache-2.0 */
/* Exit codes of a verdict in words. */
#pragma once

/* The meaning of an exit code of docs/FORMATS.md, "regression"; NULL for 0 and those that are none of them. Static. */
const char *exit_code_meaning(int exit_code);
