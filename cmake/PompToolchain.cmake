# cmake -DCMAKE_TOOLCHAIN_FILE="$(pomp-clang --cmake-dir)/PompToolchain.cmake": every target is
# instrumented, and the project knows nothing of it.  POMP_FUNCTIONS, POMP_FILTER, POMP_TRACE
# and POMP_OPTIONS are as for pomp_instrument; a toolchain file of the project's own goes into
# POMP_CHAINLOAD_TOOLCHAIN_FILE.
if(POMP_CHAINLOAD_TOOLCHAIN_FILE)
  include("${POMP_CHAINLOAD_TOOLCHAIN_FILE}")
  list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES POMP_CHAINLOAD_TOOLCHAIN_FILE)
endif()

get_property(_pomp_in_check GLOBAL PROPERTY IN_TRY_COMPILE)
get_property(_pomp_done GLOBAL PROPERTY POMP_AT_THE_END)
if(NOT _pomp_in_check AND NOT _pomp_done)
  include("${CMAKE_CURRENT_LIST_DIR}/PompClangConfig.cmake")
  if(NOT POMP_CLANG)
    message(FATAL_ERROR "${PompClang_NOT_FOUND_MESSAGE}")
  endif()
  set(_pomp_words)
  foreach(_pomp_word IN ITEMS FUNCTIONS FILTER OPTIONS)
    if(POMP_${_pomp_word})
      list(APPEND _pomp_words ${_pomp_word} ${POMP_${_pomp_word}})
    endif()
  endforeach()
  if(POMP_TRACE)
    list(APPEND _pomp_words TRACE)
  endif()
  pomp_instrument_all(${_pomp_words})
endif()
