# SPDX-License-Identifier: Apache-2.0
# cpack runs this when everything is installed in CPACK_TEMPORARY_DIRECTORY and before it is packed: what Debian wants
# done to files, and times that do not tell when the package was made.
set(root ${CPACK_TEMPORARY_DIRECTORY})
set(script ${CMAKE_CURRENT_LIST_DIR}/staged.sh)
execute_process(COMMAND bash ${script} ${root} ${CPACK_PACKAGE_VERSION} ${CPACK_DEBIAN_PACKAGE_RELEASE}
  ${CPACK_PACKAGE_CONTACT} RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "staged.sh failed")
endif()
