/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses from names and sources of a program: is it a benchmark, and of which framework? */
#pragma once

#include <glib.h>

/* TRUE for names that speak of benchmarks: "tree_bench", "BM_parse", "perf-json", but not "workbench". */
gboolean hint_name(const char *name);
/* TRUE if the file or a folder above it has such a name; `path` is relative. */
gboolean hint_path(const char *path);
/* The framework that a source uses, as firebreak.yml names it; NULL = none that is known. Catch2 alone is no benchmark:
 * the source has to use its BENCHMARK, too. Static. */
const char *hint_framework(const char *text);
/* A library for benchmarks among the words that link a program ("/usr/lib/libbenchmark.so.1", "-lbenchmark"); NULL =
 * none. Static. */
const char *hint_link_framework(const char *fragment);
/* TRUE if a CMakeLists.txt or meson.build has a project() of its own, and is not only read by one above it. */
gboolean hint_has_project(const char *text);
/* TRUE if C, C++ or Rust code has a main function, or a framework's stand-in for it. */
gboolean hint_has_main(const char *text);
