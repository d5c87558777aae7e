# find_package(PompClang): `pomp_instrument` for targets, documented in docs/how-to/builds.md.
if(CMAKE_VERSION VERSION_LESS 3.21)
  set(PompClang_FOUND FALSE)
  set(PompClang_NOT_FOUND_MESSAGE "PompClang needs CMake 3.21, which can launch the linker")
  return()
endif()

# Beside the package (lib/python3/site-packages/pomp_clang/cmake), or share/cmake/PompClang.
find_program(
  POMP_CLANG pomp-clang
  HINTS "${CMAKE_CURRENT_LIST_DIR}/../../../../../bin" "${CMAKE_CURRENT_LIST_DIR}/../../../bin"
        "${CMAKE_CURRENT_LIST_DIR}/../../bin"
  DOC "Instruments what is compiled with OpenMP"
  NO_CMAKE_FIND_ROOT_PATH)
mark_as_advanced(POMP_CLANG)
if(NOT POMP_CLANG)
  set(PompClang_FOUND FALSE)
  set(PompClang_NOT_FOUND_MESSAGE "pomp-clang is not on the PATH; set POMP_CLANG")
  return()
endif()

include("${CMAKE_CURRENT_LIST_DIR}/PompInstrument.cmake")
