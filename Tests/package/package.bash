# For the scripts of this folder: the package of the built programs, made in the folder where the script runs.

# Debian's tools want the source around them; the programs are those that are tested.
make_package() { # DESTINATION [VERSION]
  local source=$PWD/source
  rm -rf "$source"
  mkdir -p "$source/docs" "$source/.build/release"
  cp -r "$REPOSITORY"/{debian,Installation,Makefile,Prescriptions,NOTICE,CHANGELOG.md,Package.resolved} "$source/"
  cp -r "$REPOSITORY/docs/man" "$source/docs/"
  cp "$PROGRAMS"/auricle "$PROGRAMS"/auricle-auth "$source/.build/release/"
  [ $# -lt 2 ] || sed -i "1s/([^)]*)/($2)/" "$source/debian/changelog"
  # `SWIFT=true`: nothing is built.
  (cd "$source" && DESTINATION=$1 debian/rules clean binary SWIFT=true) >package.log 2>&1 || { cat package.log; exit 1; }
}
