# Python with the libraries of others that judge what is made here. Sourced.
#
#   others_python REQUIREMENTS   prints the path of a Python that has them, of PyPI; fails where they cannot be had. It is made once in a clone and kept
#                                in .build, for each list and version of Python. Of scripts side by side one makes it

others_python() {
  local kept turn
  kept=$REPOSITORY/.build/python-$( (cat "$1"; python3 --version) | sha256sum | cut -c 1-16)
  exec {turn}>"$kept.lock"
  flock "$turn"
  if [ ! -e "$kept/complete" ]; then
    rm -rf "$kept"
    python3 -m venv "$kept" >&2 &&
      "$kept/bin/pip" --quiet --disable-pip-version-check install -r "$1" >&2 &&
      touch "$kept/complete" || return 1
  fi
  exec {turn}>&-
  echo "$kept/bin/python"
}
