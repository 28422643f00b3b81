# For the scripts of this folder: the package of the built programs, made in the folder where the script runs.

# Debian's tools want the source around them; the programs are those that are tested.
# With COMPANION, the folder of a built auricle-companion, its package too.
make_package() { # DESTINATION [VERSION]
  local source=$PWD/source profiles=pkg.auricle.nocompanion
  rm -rf "$source"
  mkdir -p "$source/docs" "$source/.build/release"
  cp -r "$REPOSITORY"/{debian,Installation,Makefile,Prescriptions,NOTICE,CHANGELOG.md,Package.resolved} "$source/"
  cp -r "$REPOSITORY/docs/man" "$source/docs/"
  cp "$PROGRAMS"/auricle "$PROGRAMS"/auricle-auth "$source/.build/release/"
  [ $# -lt 2 ] || sed -i "1s/([^)]*)/($2)/" "$source/debian/changelog"
  if [ -n "${COMPANION:-}" ]; then
    profiles=
    mkdir -p "$source/Companion/.build-deb/release"
    cp -r "$REPOSITORY"/Companion/{Installation,Studies,Package.resolved} "$source/Companion/"
    cp "$COMPANION/auricle-companion" "$source/Companion/.build-deb/release/"
  fi
  # `SWIFT=true`: nothing is built.
  (cd "$source" && DESTINATION=$1 DEB_BUILD_PROFILES=$profiles debian/rules clean binary SWIFT=true) >package.log 2>&1 || { cat package.log; exit 1; }
}
