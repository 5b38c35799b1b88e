/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions of report.html: what each costs on both sides, what it adds to the total with its interval,
 * what kind of change that is, and how the edited lines are related to it. */
#pragma once

#include "report/html/htmlevidence.h"

/* Appends the table to the body of the page, largest contribution first. What has no row is said below it. */
void html_functions(HtmlPage *page, const HtmlEvidence *evidence);
/* Appends the functions whose counts did not repeat, if there are any. */
void html_unstable(HtmlPage *page, const HtmlEvidence *evidence);
