# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# layout.h, which names what an inlined event and the library have to agree on: a hash of
# every file that says how the short way of an event goes.
set(POMP_LAYOUT_FILES
    include/pomp.h src/export.h src/system/clock.h src/location/format.h src/location/thread.h
    src/trace/trace_format.h src/events/calls.h src/events/events.def src/events/fast_events.h
    src/events/fast_path.h src/events/fast_path_muted.h)
list(TRANSFORM POMP_LAYOUT_FILES PREPEND ${PROJECT_SOURCE_DIR}/)
set(hashes "")
foreach(file IN LISTS POMP_LAYOUT_FILES)
  file(SHA256 ${file} hash)
  string(APPEND hashes ${hash})
endforeach()
string(SHA256 POMP_LAYOUT "${hashes}")
string(SUBSTRING ${POMP_LAYOUT} 0 12 POMP_LAYOUT)
# All that a linker or a loader says where it has no such symbol is the symbol's name.
string(APPEND POMP_LAYOUT "_of_another_pomp_clang_compile_again")
configure_file(${PROJECT_SOURCE_DIR}/src/layout.h.in ${PROJECT_BINARY_DIR}/layout.h @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${POMP_LAYOUT_FILES})
