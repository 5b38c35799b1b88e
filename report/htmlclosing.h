/* What report.html says about the whole check below its benchmarks: findings, how to repeat it, and the environment. */
#pragma once

#include "report/htmlpage.h"

#include "compare/result.h"

/* Appends the sections; what is not known is left out. */
void html_closing(HtmlPage *page, const CheckResult *result);
