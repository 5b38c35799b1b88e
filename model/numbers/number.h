/* SPDX-License-Identifier: Apache-2.0 */
/* Writes numbers for everything that people look at: sentences, terminal, Markdown, pictures.
 *
 * Ratios and shares come in as the data model has them (1.0 = equal, .01 = one percentage point) and go out in percent;
 * this is the only place that turns one into the other for text. What is not known reads "n/a", never 0. The decimal
 * point is always a point, whatever the locale. Every function returns a string that the caller owns; only those that
 * take a unit (an unknown one) may contain foreign text.
 *
 * What was measured is rounded to what matters. What was counted is exact, and says so: all digits of a whole number,
 * and "0 %" only where nothing changed at all. Bytes are KiB, MiB and GiB, multiples of 1024. */
#pragma once

#include <glib.h>

/* A change from a ratio: 1.123 is "+12.3 %". Two decimals below one percent, none from a thousand on;
 * infinity is "from 0". */
char *number_change(double ratio);
/* A change that is larger than `limit`, a size, and reads so: 1.0203 beyond .02 is "+2.03 %". */
char *number_change_beyond(double ratio, double limit);
/* The two bounds of a change: "[+11.0, +13.5]"; with an open end "≤ +20.5 %" or "≥ -3.0 %", with two "none"; "" if
 * neither bound is known or both are infinite. */
char *number_change_interval(double lower_ratio, double upper_ratio);
/* A contribution in percentage points of the base total: .119 is "+11.9 pp". */
char *number_points(double share);
/* Two shares as an interval in percentage points; owned by the caller. */
char *number_points_interval(double lower_share, double upper_share);
/* The same four of what was counted: two decimals, more where a change is small, "+0.000022 %"; no change is "0 %", and
 * a range whose ends are equal, as that of counts which repeat, is "". */
char *number_count_change(double ratio);
/* The range of a counted change in percent; owned by the caller. */
char *number_count_range(double lower_ratio, double upper_ratio);
/* A counted share in percentage points; owned by the caller. */
char *number_count_points(double share);
/* The range of a counted share in percentage points; owned by the caller. */
char *number_count_points_range(double lower_share, double upper_share);
/* A size without sign, such as a margin: .03 is "3 %". */
char *number_share(double share);
/* The same with all digits that a configuration gave it: .0215 is "2.15 %", .123456 "12.3456 %". */
char *number_margin(double margin);
/* One size or, where they differ, two: "4 to 10 %". */
char *number_share_range(double least, double most);
/* A size as a reader keeps it in mind, to two digits: .1842 is "18 %", .0231 "2.3 %", .00317 "0.32 %". */
char *number_rounded(double size);
/* Two of them as a range: "17 to 20 %"; one of ends that read the same. */
char *number_rounded_range(double least, double most);
/* Two changes as a range, with their signs: .9919 and 1.016 are "-0.81 to +1.6 %". */
char *number_rounded_change_range(double lower_ratio, double upper_ratio);
/* A share with so many decimals, for columns: .02 with two is "2.00 %". */
char *number_share_as(double share, int decimals);
/* The same of what is known roughly, such as an estimate: "2.6 %", "87 %". */
char *number_about(double share);
/* The same of what was counted, as exact as number_count_change(): "0.02 %". */
char *number_count_size(double share);
/* The share of a cost of the total of base: "8.9 %". A head that costs more than base has no share of base, so nothing
 * is above 100 %; samples that add up to a little more than what was counted are 100 %, too. */
char *number_base_share(double cost, double base_total);
/* A value with its unit, scaled for reading: 1.92e9 "ns" is "1.92 s", 5e6 "bytes" is "4.77 MiB", 5e6 "count" is
 * "5.00 M". */
char *number_value(double value, const char *unit);
/* The same beside another value: in the step of the larger one where that still leaves a digit before the point, so
 * that 9494 beside 11234 is "9.49 k". */
char *number_value_beside(double value, double other, const char *unit);
/* The divisor of values up to `largest` that are written in one unit, as number_value() does with it: 1e6 of 3e6
 * "ns". */
double number_divisor(double largest, const char *unit);
/* A value in that unit with so many decimals: 9e8 "ns" is "0.9 s" where the largest is 1.1e9. */
char *number_value_as(double value, double largest, int decimals, const char *unit);
/* The size of a difference, without sign and with no unit but of time and bytes: -448201334 "instructions" is "448 M".
 */
char *number_amount(double difference, const char *unit);
/* A difference with its bounds, all in the unit of the largest: "+12.3 ms [+11.0, +13.5]". */
char *number_difference(double difference, double lower, double upper, const char *unit);
/* A duration: "0.3 s", "1.4 s", "87 s", from five minutes on "12 min", from two hours on "2.5 h". A negative one is
 * 0. */
char *number_duration(double seconds);
/* A value as somebody gave it, in no unit: "0.1". */
char *number_plain(double value);
/* A factor: "2.5". */
char *number_factor(double factor);
/* A number with so many decimals, where other programs or columns prescribe them: 2.5 with two is "2.50". */
char *number_decimal(double value, int decimals);
/* A number with so many significant digits, likewise: 1234.5 with four is "1234" or "1235". */
char *number_digits(double value, int digits);
/* A count with separators: "12,345". */
char *number_count(guint64 count);
/* A number of units that was kept in parts of 1/scale: "12,345.75"; without decimals if `scale` is 1. */
char *number_parts(double value, guint64 scale);
/* A counted value with its unit: 448201334 "instructions" is "448,201,334 instructions", 412 "count" is "412"; one that
 * is not whole (per unit of work) is scaled as above. */
char *number_counted(double value, const char *unit);
/* A p-value: "0.0002", "< 0.0001". */
char *number_p_value(double p_value);
/* The same in a sentence: "p = 0.0002", "p < 0.0001". */
char *number_p(double p_value);
