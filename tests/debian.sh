#!/bin/sh
# What the tests need beside Python: installed from Debian when this is root and something is
# missing, else named, with what is skipped for it.
set -u

rows='clang-19 clang-19 tests with clang
/usr/lib/llvm-19/lib/libomp.so libomp-19-dev tests with libomp
/usr/lib/*/libclang-19.so.1 libclang1-19 parsing with the libclang of clang 19
/usr/lib/llvm-19/bin/clang-offload-packager clang-tools-19 tests of programs that offload
FileCheck-19 llvm-19-tools all of lit_tests
opari2 opari2 the differential test against OPARI2
otf2-print otf2-tools tests of what is exported to OTF2
gcc gcc tests with gcc
g++ g++ tests with g++
gfortran gfortran tests of Fortran with gfortran
/usr/bin/flang-*19 flang-19 tests of Fortran with flang
cmake cmake building the runtime for the tests alone, and projects with CMake
ninja ninja-build builds with Ninja
autoconf autoconf builds with Autotools
automake automake builds with Autotools
libtoolize libtool builds with Autotools
meson meson builds with Meson
mpicc libmpich-dev builds with pomp-mpicc
mpicc.mpich libmpich-dev tests of MPI programs with MPICH
mpiexec.mpich mpich tests of MPI programs with MPICH
mpicc.openmpi libopenmpi-dev tests of MPI programs with Open MPI
mpiexec.openmpi openmpi-bin tests of MPI programs with Open MPI
ccache ccache tests of compiler wrappers
distccd distcc builds that distcc distributes
tcc tcc the test with a compiler that is neither gcc nor clang
gdb gdb tests of stepping in a debugger
readelf binutils tests of debug information
llvm-ar-19 llvm-19 link-time optimization of archives with clang
/usr/lib/llvm-19/lib/clang/19/lib/*/libclang_rt.tsan* libclang-rt-19-dev tests of sanitizers with clang
chromium chromium tests of pages in a browser
/usr/lib/*/libpapi.so* libpapi7.0 the test of counters by PAPI
man man-db tests of man pages
nvim neovim tests of the language server in an editor'

# shellcheck disable=SC2086
have() {
  case "$1" in
    /*) ls $1 >/dev/null 2>&1 ;; # a pattern
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

packages=$(echo "$rows" | while read -r what package _; do have "$what" || printf '%s ' "$package"; done)

if [ -n "$packages" ] && [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
  echo "installing from Debian (once, some minutes): $packages"
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -qq >/dev/null 2>&1
  # shellcheck disable=SC2086
  if ! apt-get install -y -qq --no-install-recommends $packages >/dev/null 2>&1; then
    for package in $packages; do  # what there is, where there is not all
      apt-get install -y -qq --no-install-recommends "$package" >/dev/null 2>&1 ||
        echo "apt-get could not install $package"
    done
  fi
fi

echo "$rows" | while read -r what package purpose; do
  have "$what" || echo "SKIPPED: $purpose ($what is not here; Debian package $package)"
done
