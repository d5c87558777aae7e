#!/bin/sh
# .ci/install.sh VENV WHAT: pip installs WHAT into a virtual environment, which is made if need be.
# A line for what takes time; all that pip said only when it fails.
set -eu
venv=$1
what=$2
python=${PYTHON:-python3}
here=$(pwd -P)

stop() {
  echo "pomp-clang: $1" >&2
  exit 1
}

# A moved environment is of no use: its scripts name the place where they were made.
if [ -e "$venv/place" ] && [ "$(cat "$venv/place")" != "$here" ]; then
  rm -rf "$venv"
fi
if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
  command -v "$python" >/dev/null || stop "$python not found: name a Python with make PYTHON=..."
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
    stop "$python is older than Python 3.11: name a newer one with make PYTHON=..."
  "$python" -c 'import ensurepip, venv' 2>/dev/null ||
    stop "$python cannot make a virtual environment (Debian: apt-get install python3-venv)"
  echo "making the virtual environment $venv"
  "$python" -m venv --clear "$venv" || stop "the virtual environment $venv cannot be made"
fi
echo "$here" >"$venv/place"
cc=${CC:-$(command -v cc || command -v gcc || command -v clang || true)}
[ -n "$cc" ] || stop "no C compiler found (Debian: apt-get install gcc libc6-dev)"

case $what in
  *test*) echo "installing the tests' own tools into $venv (once)" ;;
  *docs*) echo "installing the site generator into $venv (once)" ;;
  *) echo "installing pomp-clang into $venv (once)" ;;
esac
{
  "$venv/bin/python" -m pip install --disable-pip-version-check --no-input "$what" 2>&1 &&
    echo "-- installed"
} | tee "$venv/pip.log" | while IFS= read -r line; do
  case $line in
    *"Installing build dependencies: started") echo "  fetching what builds the runtime" ;;
    *"Building wheel for pomp-clang"*started) echo "  building the runtime" ;;
    *Downloading\ *.whl\ *) line=${line#*Downloading } && echo "  downloading ${line##*/}" ;;
    "Installing collected packages"*) echo "  unpacking" ;;
    *"Retrying (Retry("*) echo "  no answer from the package index, trying again" ;;
  esac
done
if [ "$(tail -n 1 "$venv/pip.log")" != "-- installed" ]; then
  cat "$venv/pip.log" >&2
  stop "pip could not install $what"
fi

# No kernel starts an interpreter with a space in its path; pip sees to its own scripts only.
script=$venv/bin/pomp-clang
if case $here in *[[:space:]]*) ;; *) false ;; esac && head -n 1 "$script" | grep -q '^#!.*/python'; then
  rest=$(tail -n +2 "$script")
  printf '#!/bin/sh\n'"'''exec' \"%s\" \"\$0\" \"\$@\"\n' '''\n%s\n" \
    "$here/$venv/bin/python" "$rest" >"$script"
fi
