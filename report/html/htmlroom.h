/* How the benchmarks of report.html share its room, so that the page stays one that a browser opens at once, however
 * many there are.
 *
 *     HtmlRooms rooms;
 *     html_rooms_init(&rooms, result);
 *     html_rooms_open(&rooms, bytes of the page, bytes of everything else);
 *     for each benchmark that rooms.shown[index]:
 *             gsize room = html_rooms_next(&rooms, index);
 *             ... render it in about `room` bytes ...
 *             html_rooms_use(&rooms, bytes that it took);
 *     html_rooms_clear(&rooms);
 *
 * A benchmark that did not pass gets more than one that did, and what one leaves over is there for those behind it. Of
 * very many benchmarks some that passed are not on the page at all. */
#pragma once

#include "compare/result.h"

/* So many are on the page at most. */
#define HTML_MOST_BENCHMARKS 200
/* With less room than that a benchmark is told in words alone. */
#define HTML_LEAST_ROOM ((gsize)5000)

typedef struct {
	gboolean *shown; /* by index of the benchmark */
	guint *weights;  /* likewise: what it may take, relative to the others; 0 = not shown */
	guint n_hidden;  /* benchmarks that are not shown */
	guint weight;    /* of all that did not have their turn yet */
	gsize left;      /* bytes for them */
} HtmlRooms;

/* Chooses which benchmarks are shown; there is no room yet. */
void html_rooms_init(HtmlRooms *rooms, const CheckResult *result);
/* Gives them what is left of `all` bytes when `others` are taken. */
void html_rooms_open(HtmlRooms *rooms, gsize all, gsize others);
void html_rooms_clear(HtmlRooms *rooms);
/* What the benchmark may take, in bytes; each is asked for once, in their order. */
gsize html_rooms_next(HtmlRooms *rooms, guint index);
/* What the last one took. */
void html_rooms_use(HtmlRooms *rooms, gsize bytes);
