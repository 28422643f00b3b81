# For the scripts of this folder: the package of the built programs.

# The same format, packed in a fifth of the time: what is judged here lies in the package, not in its size.
export DPKG_DEB_COMPRESSOR_LEVEL=0

# Made in the folder where the script runs: Debian's tools want the source around them; the programs are those that are tested.
# With MAKER, a user's number, by that user: the folder must be one that it can reach. With COMPANION, the folder of a built auricle-companion, its package too.
make_package() { # DESTINATION
  local source=$PWD/source profiles=pkg.auricle.nocompanion
  rm -rf "$source"
  mkdir -p "$source/docs" "$source/.build/release"
  cp -r "$REPOSITORY"/{debian,Installation,Makefile,Prescriptions,NOTICE,CHANGELOG.md,Package.resolved} "$source/"
  cp -r "$REPOSITORY/docs/man" "$source/docs/"
  cp "$PROGRAMS"/auricle "$PROGRAMS"/auricle-auth "$source/.build/release/"
  if [ -n "${COMPANION:-}" ]; then
    profiles=
    mkdir -p "$source/Companion/.build-deb/release"
    cp -r "$REPOSITORY"/Companion/{Installation,Studies,Package.resolved} "$source/Companion/"
    cp "$COMPANION/auricle-companion" "$source/Companion/.build-deb/release/"
  fi
  local maker=()
  if [ -n "${MAKER:-}" ]; then
    chown -R "$MAKER:$MAKER" "$source" "$1"
    maker=(setpriv --reuid="$MAKER" --regid="$MAKER" --clear-groups)
  fi
  # `SWIFT=true`: nothing is built.
  (cd "$source" && DESTINATION=$1 DEB_BUILD_PROFILES=$profiles "${maker[@]}" debian/rules clean binary SWIFT=true) >package.log 2>&1 || { cat package.log; exit 1; }
}

# The same, made once for all scripts and copied; anew when anything of it has changed. Of scripts side by side one makes it.
tested_package() { # DESTINATION
  local kept=$REPOSITORY/.build-deb/tested parts turn
  mkdir -p "${kept%/*}"
  exec {turn}>"$kept.lock"
  flock "$turn"
  parts=$(
    cd "$REPOSITORY"
    find debian Installation Prescriptions docs/man Makefile NOTICE CHANGELOG.md Package.resolved Tests/package/package.bash -type f -exec sha256sum {} + | sort
    sha256sum "$PROGRAMS"/auricle "$PROGRAMS"/auricle-auth
  )
  if [ "$(cat "$kept/parts" 2>/dev/null)" != "$parts" ]; then
    rm -rf "$kept"
    mkdir -p "$kept"
    make_package "$kept"
    printf '%s\n' "$parts" >"$kept/parts"
  fi
  cp "$kept"/*.deb "$1/"
  exec {turn}>&-
}
