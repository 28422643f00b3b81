# The list of packages is well formed, and asking for an unknown purpose names the known ones.
set -euo pipefail
"$REPOSITORY/.ci/install-dependencies" build run test
if "$REPOSITORY/.ci/install-dependencies" nonsense 2>message; then exit 1; fi
grep -q "found the purpose 'nonsense'; expected build, run, test, lab, soak, peers, noise, arm, package or companion" message

# Without the right Swift nothing is installed and the reason is given.
mkdir old
printf '#!/bin/sh\necho "Swift version 5.9.2 (swift-5.9.2-RELEASE)"\n' >old/swift
chmod +x old/swift
if PATH="$PWD/old:$PATH" "$REPOSITORY/.ci/install-dependencies" build 2>message; then exit 1; fi
grep -q 'Swift 5.9.2 found, 6.3 or newer is needed' message

# The README asks for the same one, and says where it is.
grep -q 'Swift 6\.3' "$REPOSITORY/README.md"
grep -q 'https://www\.swift\.org/install/linux' "$REPOSITORY/README.md"

# What is missing, and only that, is installed: by sudo where not root, without asking. One package is there for two architectures, as
# Steam has it, and one was removed and has left its configuration.
mkdir fake
cat >fake/dpkg-query <<'QUERY'
#!/bin/sh
case $3 in
jq) exit 1 ;;
mandoc) set -- "$2" config-files ;;
libasound2-plugins) set -- "$2" installed installed ;;
*) set -- "$2" installed ;;
esac
form=${1#-f=}
shift
for state; do printf "$(printf %s "$form" | sed "s/\${db:Status-Status}/$state/")"; done
QUERY
printf '#!/bin/sh\necho "$DEBIAN_FRONTEND: apt-get $*" >>"%s/calls"\n' "$PWD" >fake/apt-get
printf '#!/bin/sh\necho 1000\n' >fake/id
printf '#!/bin/sh\necho "sudo $1" >>"%s/calls"\nexec "$@"\n' "$PWD" >fake/sudo
chmod +x fake/*
PATH="$PWD/fake:$PATH" "$REPOSITORY/.ci/install-dependencies" >/dev/null
diff calls - <<'CALLS'
sudo env
noninteractive: apt-get -q update
sudo env
noninteractive: apt-get -q -o DPkg::Lock::Timeout=600 install -y --no-install-recommends jq mandoc
CALLS

# Neither root nor sudo: the command to run is in the message.
rm fake/sudo calls
if ! PATH="/usr/bin:/bin" command -v sudo >/dev/null; then
  if PATH="$PWD/fake:$PATH" "$REPOSITORY/.ci/install-dependencies" >/dev/null 2>message; then exit 1; fi
  grep -qx 'apt-get install jq mandoc' <(sed 's/^install-dependencies: //' message)
  test ! -e calls
fi
