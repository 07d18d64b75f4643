#!/bin/sh
# Adds the user that the image runs as, and its volume, to the root file system ROOT (by default /).
# PostgreSQL's initdb requires that the user has a name.
set -eu
root="${1:-}"
echo 'sendwright:x:10001:' >> "$root/etc/group"
echo 'sendwright:x:10001:10001:Sendwright:/data:/usr/sbin/nologin' >> "$root/etc/passwd"
mkdir -p "$root/data"
chown 10001:10001 "$root/data"
chmod 700 "$root/data"
