/* SPDX-License-Identifier: Apache-2.0 */
/* Puts an SVG picture of ours (flamediff.h, flamesvg.h) into the page.
 *
 * A picture stands on its own: it has an XML declaration, style sheets, scripts and ids. In a page with several of them
 * the declaration goes, each style sheet and script is there once (htmlpage.h), and ids get the number of the picture
 * in front, so that two pictures do not refer to each other's patterns. The picture is trusted to be one of ours: then
 * quotes and angle brackets in it are never foreign text, which is escaped. */
#pragma once

#include "report/html/htmlpage.h"

/* Bytes that a picture takes of a page that has its style sheets and scripts already. */
gsize html_picture_bytes(const char *svg);
/* Appends the picture to the body of the page, in a <div class="picture"> that names its scripts for the script of the
 * page. `label` is what it shows, for those who cannot see it; `find` is the function to begin with, NULL = none;
 * foreign text. */
void html_picture(HtmlPage *page, const char *svg, const char *label, const char *find);
