/* SPDX-License-Identifier: Apache-2.0 */
#include "model/functionlisting.h"

void function_listing_clear(FunctionListing *listing)
{
	g_clear_pointer(&listing->text, g_string_chunk_free);
	g_clear_pointer(&listing->instructions, g_array_unref);
	*listing = (FunctionListing){0};
}
