/* SPDX-License-Identifier: Apache-2.0 */
/* Names as a reader knows them: from the linkage name in an object file to the name that two builds have in common.
 *
 *     _ZN3geo5solveIdEEvT_.constprop.0  ->  geo::solve<double>
 *     _ZN4core3fmt5write17h0123456789abcdefE  ->  core::fmt::write
 *     hash_word.part.0.isra.0  ->  hash_word
 *     memcpy@@GLIBC_2.14  ->  memcpy
 *     _ZZ4mainENKUliE0_clEi  ->  main::{lambda(int)}::operator()
 *
 * Template arguments are kept; return types and parameter lists are not, so overloads share a name. Suffixes that a
 * compiler puts on the clones and parts of a function are cut, because they come and go with its mood; so are the
 * numbers of lambdas, closures and types without a name, which change when another one is written before them. */
#pragma once

#include <glib.h>

/* The linkage name without symbol version and without the compiler's suffixes. Owned by the caller. */
char *canonical_linkage_name(const char *linkage_name);
/* Cuts the numbers out of a name as a reader knows it: "{lambda(int)#2}", "{closure#0}", "{impl#3}", "$_1". */
void canonical_drop_numbers(char *name);
/* The name of an object file that is the same in two builds: its base name without the version after `.so` and without
 * the hash that cargo puts after a dash. "libw.so.1.2" -> "libw.so", "bench-0123456789abcdef" -> "bench". Owned by the
 * caller. */
char *canonical_module(const char *path);
/* The canonical name. A name that is not mangled, or too long to be demangled safely, is only cut. Owned by the
 * caller. */
char *canonical_name(const char *linkage_name);
