/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration's YAML parser. */
#include "core/yamltree.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(YamlNode) root = yaml_parse((const char *)data, size, "fuzz.yml", &error);
	g_assert((root == NULL) == (error != NULL));
	return 0;
}
