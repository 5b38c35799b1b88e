/* The fixed style sheet and script inside every flame graph. Both are our own constant text; nothing is ever inserted.
 *
 * The script finds its frames by the attributes that flamecanvas writes and works on the SVG it stands in, so several
 * pictures may be in one page. It offers: click or Enter to zoom, Escape to go back, arrows to walk, `/` to search
 * (regular expression, case ignored) with the matched share of base and head, n and N for the next and previous match.
 * Matches inside of matches count once. */
#pragma once

extern const char flame_style[];
extern const char flame_script[];
