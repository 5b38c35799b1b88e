/* SPDX-License-Identifier: Apache-2.0 */
#include "profile/exchange/protowire.h"

#include "tests/profile/protowriter.h"
#include "tests/profile/readers.h"

static void fields_of_every_type_are_read(void **state)
{
	(void)state;
	static const guint8 bytes[] = {
	        0x08, 0x96, 0x01, 0x11, 1, 0, 0, 0, 0, 0, 0, 0x80, 0x1a, 2, 'h', 'i', 0x25, 1, 2, 0, 0};
	ProtoReader reader = proto_reader(bytes, sizeof(bytes));
	ProtoField field;
	assert_true(proto_next(&reader, &field));
	assert_int_equal(field.number, 1);
	assert_int_equal(field.value, 150);
	assert_true(proto_next(&reader, &field));
	assert_true(field.value == G_GUINT64_CONSTANT(0x8000000000000001));
	assert_true(proto_next(&reader, &field));
	assert_int_equal(field.bytes.end - field.bytes.at, 2);
	assert_true(proto_next(&reader, &field));
	assert_int_equal(field.value, 513);
	assert_false(proto_next(&reader, &field));
	assert_false(reader.is_damaged);
}

static void assert_damaged(const guint8 *bytes, gsize length)
{
	ProtoReader reader = proto_reader(bytes, length);
	ProtoField field;
	while (proto_next(&reader, &field))
		continue;
	assert_true(reader.is_damaged);
}

static void what_does_not_fit_is_damage(void **state)
{
	(void)state;
	static const guint8 cut_key[] = {0x80}, cut_value[] = {0x08, 0x80}, long_bytes[] = {0x0a, 5, 'x'},
	                    huge_bytes[] = {0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
	                    cut_fixed[] = {0x09, 1, 2, 3}, no_number[] = {0x00, 1}, group[] = {0x0b, 0x0c},
	                    endless[] = {0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00};
	assert_damaged(cut_key, sizeof(cut_key));
	assert_damaged(cut_value, sizeof(cut_value));
	assert_damaged(long_bytes, sizeof(long_bytes));
	assert_damaged(huge_bytes, sizeof(huge_bytes));
	assert_damaged(cut_fixed, sizeof(cut_fixed));
	assert_damaged(no_number, sizeof(no_number));
	assert_damaged(group, sizeof(group));
	assert_damaged(endless, sizeof(endless));
}

static guint64 sum_of_integers(const GByteArray *bytes)
{
	ProtoReader reader = proto_reader(bytes->data, bytes->len);
	ProtoField field;
	guint64 sum = 0, value;
	while (proto_next(&reader, &field))
		while (proto_next_integer(&field, &value))
			sum = sum * 10 + value;
	return sum;
}

static void integers_may_be_packed_or_not(void **state)
{
	(void)state;
	static const guint64 values[] = {1, 2, 3};
	g_autoptr(GByteArray) packed = g_byte_array_new(), single = g_byte_array_new();
	put_packed(packed, 2, values, 3);
	for (guint i = 0; i < 3; i++)
		put_integer(single, 2, values[i]);
	assert_int_equal(sum_of_integers(packed), 123);
	assert_int_equal(sum_of_integers(single), 123);
}

static void a_damaged_packed_field_says_so(void **state)
{
	(void)state;
	static const guint8 bytes[] = {0x12, 2, 0x01, 0x80};
	ProtoReader reader = proto_reader(bytes, sizeof(bytes));
	ProtoField field;
	guint64 value;
	assert_true(proto_next(&reader, &field));
	assert_true(proto_next_integer(&field, &value));
	assert_false(proto_next_integer(&field, &value));
	assert_true(field.bytes.is_damaged);
}

static void what_is_written_is_read_back(void **state)
{
	(void)state;
	static const guint64 values[] = {0, 1, 127, 128, 300, G_MAXINT64, G_MAXUINT64};
	g_autoptr(GByteArray) out = g_byte_array_new();
	for (guint i = 0; i < G_N_ELEMENTS(values); i++)
		proto_put_integer(out, i + 1, values[i]);
	proto_put_bytes(out, 20000, "lexi", 4);
	ProtoReader reader = proto_reader(out->data, out->len);
	ProtoField field;
	for (guint i = 0; i < G_N_ELEMENTS(values); i++) {
		assert_true(proto_next(&reader, &field));
		assert_int_equal(field.number, i + 1);
		assert_true(field.value == values[i]);
	}
	assert_true(proto_next(&reader, &field));
	assert_int_equal(field.number, 20000);
	assert_memory_equal(field.bytes.at, "lexi", 4);
	assert_false(proto_next(&reader, &field));
	assert_false(reader.is_damaged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	        cmocka_unit_test(fields_of_every_type_are_read),
	        cmocka_unit_test(what_does_not_fit_is_damage),
	        cmocka_unit_test(integers_may_be_packed_or_not),
	        cmocka_unit_test(a_damaged_packed_field_says_so),
	        cmocka_unit_test(what_is_written_is_read_back),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
