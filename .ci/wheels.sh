#!/bin/sh
# .ci/wheels.sh ARCH...: the source archive and a wheel for each architecture, in dist/.
# zig compiles for an old glibc and for the first version of each architecture; auditwheel
# checks the result.
set -eu
glibc=2.28
work=$(pwd -P)/build/wheels
python=$work/venv/bin/python

quiet() { # quiet COMMAND...: its output only if it fails
  "$@" >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    exit 1
  }
}

zig() { # zig NAME COMMAND...: makes a program of one word
  printf '#!/bin/sh\nexec "%s" -m ziglang %s "$@"\n' "$python" "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

rm -rf "$work/bin" "$work/sdist" "$work/linux"
mkdir -p "$work/bin" dist
[ -x "$python" ] || "${PYTHON:-python3}" -m venv "$work/venv"
echo "installing what builds wheels into build/wheels/venv (once)"
quiet "$python" -m pip install --disable-pip-version-check \
  auditwheel build 'markdown-it-py>=3' 'scikit-build-core>=0.11' wheel ziglang==0.17.1
zig ar ar
zig ranlib ranlib
quiet "$python" -m build --no-isolation --sdist --outdir "$work/sdist"
cp "$work"/sdist/* dist
for arch in "$@"; do
  echo "building the wheel for $arch"
  zig "cc-$arch" "cc -target $arch-linux-gnu.$glibc"
  # zig adds debug information and frame pointers.
  CFLAGS='-g0 -fomit-frame-pointer' LDFLAGS=-Wl,--strip-all quiet "$python" -m build --no-isolation --wheel \
    --outdir "$work/linux" \
    -Ccmake.define.CMAKE_SYSTEM_NAME=Linux \
    -Ccmake.define.CMAKE_SYSTEM_PROCESSOR="$arch" \
    -Ccmake.define.CMAKE_C_COMPILER="$work/bin/cc-$arch" \
    -Ccmake.define.CMAKE_AR="$work/bin/ar" \
    -Ccmake.define.CMAKE_RANLIB="$work/bin/ranlib" \
    -Ccmake.define.CMAKE_STRIP= \
    "$work"/sdist/*.tar.gz
  tag=manylinux_2_${glibc#2.}_$arch
  quiet "$python" -m wheel tags --remove --platform-tag "$tag" "$work"/linux/*.whl
  quiet "$python" -m auditwheel show --json "$work"/linux/*.whl
  needed=$(sed -n 's/.*"overall_tag": "manylinux_2_\([0-9]*\)_.*/\1/p' "$work/log")
  if [ "${needed:-99}" -gt "${glibc#2.}" ]; then
    cat "$work/log" >&2
    exit 1
  fi
  mv "$work"/linux/*.whl dist
done
ls dist
