/* SPDX-License-Identifier: Apache-2.0 */
/* The framework of the program that a benchmark's command starts. */
#pragma once

#include "runner/config/configdata.h"

/* Looks at the files of the tree that the command names, also in a text for a shell and after a `cd` there, and those
 * that a script among them names. Returns the framework of the first program that calibrates itself as it is started
 * there (FRAMEWORK_NONE if none does) and sets *program to its name as the command has it, owned by the caller. `go
 * test -bench` and `cargo bench` count as programs that calibrate themselves. */
FrameworkId framework_of_command(const char *tree_dir, const ConfigBenchmark *benchmark, char **program);
