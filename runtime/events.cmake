# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The POMP functions by their shape, for the libraries that treat all alike.
set(POMP_CONTROLS Init Finalize On Off Snapshot)
# Those with a descriptor are the rows of events.def.
set(POMP_EVENTS "")
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/src/events/events.def rows REGEX "^[A-Z]+\\([A-Z]")
foreach(row IN LISTS rows)
  string(REGEX MATCH "^([A-Z]+)\\(([A-Za-z_]+)" row "${row}")
  if(CMAKE_MATCH_1 STREQUAL PAIR)
    list(APPEND POMP_EVENTS ${CMAKE_MATCH_2}_enter ${CMAKE_MATCH_2}_exit)
  else()
    list(APPEND POMP_EVENTS ${CMAKE_MATCH_2})
  endif()
endforeach()
set(POMP_VALUES int unsigned real)
set(POMP_TOKENS team task creation)
set(POMP_LOCKS Set_lock Unset_lock Set_nest_lock Unset_nest_lock)
set(POMP_LOCK_TESTS Test_lock Test_nest_lock)
