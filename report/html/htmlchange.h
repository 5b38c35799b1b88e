/* SPDX-License-Identifier: Apache-2.0 */
/* The edits of the change where measured code stands, in report.html: hunks of its diff, each with links to the rows of
 * its functions.
 *
 *     src/words.c   hash_word +37.5 pp                                      one folded part per file
 *       Lines 24–31 of base, 24–32 of head: hash_word +37.5 pp, regression
 *         base  head    base    head      source
 *           26    26                      for (; *word != '\0'; word++)
 *           27           57 ms         −  hash = hash * 31 + *word;
 *                 27            101 ms +  hash = hash_mix(hash, *word);
 *
 * Lines that were edited are marked with a sign and not by colour alone. It is rendered after the benchmarks, whose
 * rows it leads to; hunks that do not fit are left out, and the page says so. */
#pragma once

#include "compare/result.h"
#include "report/html/htmlpage.h"

/* Appends the section; nothing where the change is not known or edits nothing. */
void html_change(HtmlPage *page, const CheckResult *result);
/* The bytes that it is going to take, about; 0 if there is nothing. */
gsize html_change_room(const CheckResult *result);
/* Appends a link to it; nothing if it has no section. */
void html_change_link(GString *out, const CheckResult *result);
