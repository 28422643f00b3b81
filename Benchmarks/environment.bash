# The Python environment of the benchmarks that judge sound by models of hearing. Sourced, with $repository set: makes it
# under .build-quality where it is missing (some 450 MB; needs the network then), and sets $build and $python.
build=${QUALITY_BUILD:-$repository/.build-quality}
python=${QUALITY_PYTHON:-$build/venv/bin/python}

if [ ! -x "$python" ]; then
  python3 -m venv "$build/venv" || { echo "$0: no virtual environment: install python3-venv" >&2; exit 2; }
fi
if ! "$python" -c 'import clarity, scipy, numba, soundfile, matplotlib' 2>/dev/null; then
  # pyclarity's own dependencies bring 6 GB that none of this needs.
  "$python" -m pip install --quiet --no-deps pyclarity==0.9.0 &&
    "$python" -m pip install --quiet numpy==2.4.6 scipy==1.17.1 numba soundfile matplotlib || exit 2
fi
