/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed style sheet and script of report.html: page.css and page.js, which the build embeds (embed.cmake). Both are
 * our own constant text; nothing is ever inserted, because the page allows them by their hashes (htmlpage.h).
 *
 * The style sheet has a light and a dark scheme, one for narrow windows and one for paper. The script makes tables
 * sortable (a button in each header, arrows between them) and filterable (`/`, Escape), unfolds what a link leads to,
 * starts the scripts of pictures when they come into view, and shows callers and callees of a function that is chosen.
 * It never makes markup out of text. */
#pragma once

extern const char html_style[];
extern const char html_script[];
