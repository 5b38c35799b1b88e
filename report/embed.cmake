# SPDX-License-Identifier: Apache-2.0
# Writes the text of FILE into the C source OUT, as `const char NAME[]` with a terminating zero.
file(READ ${FILE} hex HEX)
string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
file(WRITE ${OUT} "/* made of ${FILE} */\nextern const char ${NAME}[];\nconst char ${NAME}[] = \"${bytes}\";\n")
