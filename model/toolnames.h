/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what other tools print about a frame: function names that are demangled already, with their argument lists, and
 * the files that code comes from. Our own names come from model/canonical.h. */
#pragma once

#include <glib.h>

/* The length of a function name without its argument list.
 *
 *     std::vector<int, A<int> >::push_back(int&&)       std::vector<int, A<int> >::push_back
 *     std::function<void (int)>::operator()(int) const  std::function<void (int)>::operator()
 *     (anonymous namespace)::parse(char const*)         (anonymous namespace)::parse
 *     net/http.(*Client).Do                             as it is: Go names a method's type like this
 *
 * The list begins at the first `(` that is in no bracket of any kind. Blanks at the end go, too. Never 0 for a name
 * that has bytes. */
gsize tool_name_without_arguments(const char *name, gsize length);

/* Tells where a name without its argument list begins: demanglers put the type that a template function returns in
 * front.
 *
 *     void std::vector<int, A<int> >::emplace<int&>     std::vector<int, A<int> >::emplace<int&>
 *     operator new                                      as it is */
gsize tool_name_after_type(const char *name, gsize length);

/* The length of the first of several names with a separator between them, which in brackets is part of a name:
 *
 *     run<'a'>'main                                     run<'a'>
 *     operator<<'main                                   operator<<
 *
 * Never 0 for a text that has bytes. */
gsize tool_name_until(const char *text, gsize length, char separator);

/* Rust's names before its second mangling were made for demanglers of C++, which leave the rest as it is:
 *
 *     _$LT$std..fs..ReadDir$u20$as$u20$Iterator$GT$::next::hc14f1750ca79129b  ->  <std::fs::ReadDir as Iterator>::next
 *
 * If the name ends in such a hash, replaces the content of `mended` by the readable name and returns TRUE. */
gboolean tool_name_mend_rust(const char *name, gsize length, GString *mended);

/* TRUE if a file, as perf prints it in parentheses, is code of the kernel: the kernel itself, a module, or a name in
 * brackets other than those of a process ([heap], [stack], [vdso], [vsyscall], [uprobes], [anon...], [unknown]). */
gboolean tool_file_is_kernel(const char *file, gsize length);
/* TRUE if it is code that a program made while it ran: /tmp/perf-4711.map or .../jitted-4711-3.so. */
gboolean tool_file_is_jit(const char *file, gsize length);
