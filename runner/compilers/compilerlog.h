/* SPDX-License-Identifier: Apache-2.0 */
/* The log of a build's compilers: firebreak-cc appends a line for every call that compiles or links, and the report
 * says which there were. It lies beside the tree of the build, where whatever the build runs can write, too: it
 * informs, and decides nothing. */
#pragma once

#include "model/toolchain.h"

/* In the environment of a build: the file; "" = none. */
#define COMPILER_LOG_VARIABLE "FIREBREAK_COMPILER_LOG"

/* Appends a call of `program` by the name that the build used. What cannot be written is left out. */
void compiler_log_append(const char *file, const char *name, const char *program);
/* The compilers of a log, sorted by name, each once with its calls. An array of UsedCompiler owned by the caller; empty
 * if there is no log. What is no line of firebreak-cc is passed over. */
GPtrArray *compiler_log_read(const char *file);
