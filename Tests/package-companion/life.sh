# The life of the package auricle-companion in a fresh Debian: installed beside the aid, a study begun and answered by a person with an account,
# removed and purged; what the person has answered stays.
. "$REPOSITORY/Tests/package/package.bash"
. "$REPOSITORY/Tests/package/root.bash"
set -euo pipefail
COMPANION=${COMPANION:-$REPOSITORY/Companion/.build-deb/release}
fresh_root
mkdir now
make_package "$PWD/now"
cp now/*.deb "$root/"
inside useradd --create-home --uid 4711 ada
as_ada() { inside setpriv --reuid 4711 --regid 4711 --clear-groups env HOME=/home/ada TZ=Europe/Berlin COMPANION_CLOCK=2026-03-28T08:00:00Z "$@"; }
# expect STATUS TEXT COMMAND...
expect() {
  local status=$1 text=$2 found=0
  shift 2
  "$@" >output 2>&1 || found=$?
  [ "$found" -eq "$status" ] && grep -qF -- "$text" output ||
    { cat output; complain "$*: found exit $found, expected $status and \"$text\""; }
}

# MARK: - Without it, and with it

inside_install "/$(cd now && ls auricle_*.deb)"
expect 69 'auricle-companion, which is not installed' as_ada auricle q today
inside_install "/$(cd now && ls auricle-companion_*.deb)"
inside sh -c 'find /usr /etc -xdev -newer /var/lib/dpkg/info/auricle-companion.list -path "*systemd*"' >units
[ ! -s units ]
expect 0 'day 1 is 2026-03-28, of 15' as_ada auricle study begin /usr/share/auricle/studies/mood
expect 0 'PHQ-8' as_ada auricle q today --list
printf '0\n1\n0\n0\n0\n0\n0\n0\n' | as_ada auricle q today >said
expect 0 'PHQ-8  1, minimal' as_ada auricle q scores
expect 0 'Fifteen days of sleep: 0 errors' as_ada auricle study check /usr/share/auricle/studies/fifteen-days
expect 0 'punctual' as_ada auricle study rehearse /usr/share/auricle/studies/mood --people 3
[ "$(stat -c %a "$root/home/ada/.local/share/auricle/companion.db")" = 600 ]
cp "$root/home/ada/.local/share/auricle/companion.db" before.db

# Bash's completions, of the aid and of these verbs.
cat >"$root/root/completions" <<'BASH'
. /usr/share/bash-completion/completions/auricle
complete -p auricle
offers() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; COMPREPLY=(); _auricle_and_companion auricle "${@: -1}" "${@: -2:1}"; echo "$*: ${COMPREPLY[*]}"; }
offers auricle st
offers auricle study re
BASH
inside bash /root/completions >offers
grep -q -- '-F _auricle_and_companion auricle' offers
grep -q '^auricle st: .*status.* study$' offers
grep -qx 'auricle study re: renew rehearse redcap' offers

# MARK: - A site's server, where Debian's can be fetched

if inside apt-get -q install -y --no-install-recommends postgresql >apt.log 2>&1; then
  version=$(ls "$root/etc/postgresql")
  inside sh -c "rm -f /usr/sbin/policy-rc.d; pg_ctlcluster $version main start"
  trap 'inside pg_ctlcluster $version main -m immediate stop >/dev/null 2>&1 || true' EXIT
  as_postgres() { inside setpriv --reuid postgres --regid postgres --init-groups env HOME=/ "$@"; }
  as_postgres createdb companion
  expect 0 'made the role auricle_participant' as_postgres auricle study database prepare --database dbname=companion
  expect 77 "would see everybody's rows" as_postgres auricle q today --database dbname=companion
  # Ada's account may be the participant.
  echo 'people ada auricle_participant' >>"$root/etc/postgresql/$version/main/pg_ident.conf"
  sed -i '1i local companion auricle_participant peer map=people' "$root/etc/postgresql/$version/main/pg_hba.conf"
  inside pg_ctlcluster "$version" main reload
  site='dbname=companion user=auricle_participant'
  expect 0 'day 1 is' as_ada auricle study begin /usr/share/auricle/studies/mood --database "$site"
  expect 0 'PHQ-8' as_ada auricle q today --list --database "$site"
  expect 69 'cannot be reached' as_ada auricle q today --database 'dbname=companion user=auricle_staff'
  inside pg_ctlcluster "$version" main -m immediate stop
else
  echo "not tried: package-companion on PostgreSQL, Debian's server could not be fetched"
fi

# MARK: - Removed, purged

inside dpkg -r auricle-companion >/dev/null
expect 69 'auricle-companion, which is not installed' as_ada auricle q today
[ ! -e "$root/usr/libexec/auricle" ]
[ ! -e "$root/usr/share/auricle/studies" ]
inside dpkg -P auricle-companion auricle >/dev/null 2>&1
cmp before.db "$root/home/ada/.local/share/auricle/companion.db"
