/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed style sheet and script inside every flame graph: flame.css and flame.js, which the build embeds
 * (embed.cmake). views.css and views.js, for the switches of a differential flame graph, are embedded like them. All
 * are our own constant text; nothing is ever inserted. They stand in XML and in HTML: no `<` or `&` in a style sheet,
 * no `]]>` and no `</script` in a script.
 *
 * The script finds its frames by the attributes that flamecanvas writes and works on the SVG it stands in, so several
 * pictures may be in one page: all rules begin with `.flame`, and keys are heard in the picture that has the focus.
 * Only where the picture is a document of its own are they heard everywhere, and the address keeps its state:
 *
 *     #node=<hash of the names from the bottom to the zoomed frame>&q=<regular expression>
 *
 * Other parts of the address stay as they are. Neither depends on the width or on what else is in the picture.
 *
 * It offers: click or Enter to zoom, Escape or 0 to go back, arrows to walk, `/` to search (regular expression, case
 * ignored) with the matched share of base and head, n and N for the next and previous match, `?` for a list of these.
 * Matches above matches count once, by cost. One frame at a time can be reached by Tab; each has its tooltip as label
 * for a screen reader.
 *
 * Another script may move frames: it sets data-x and data-w of each, percent of the whole, and sends the event
 * `viewchange` to the picture. */
#pragma once

extern const char flame_style[];
extern const char flame_script[];
extern const char views_style[];
extern const char views_script[];
