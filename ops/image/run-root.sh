#!/bin/bash
# Runs a command in a root file system of build-root.sh as a container engine does, as root: read-only, as user 10001,
# without privileges, with /data and /tmp, and without network but loopback.
#
#   ops/image/run-root.sh ROOT DATA [NAME=VALUE...] COMMAND [ARGUMENT...]
set -euo pipefail
root="$(realpath "${1:?}")"
data="$(realpath "${2:?}")"
shift 2
# This process becomes the parent of the command, and ignores SIGTERM: signal its child.
exec env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin ROOT="$root" DATA="$data" unshare --mount --net --pid --fork --kill-child bash -euc '
  mount --bind "$ROOT" "$ROOT"
  mount -t proc proc "$ROOT/proc"
  mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
  mount -t tmpfs tmpfs "$ROOT/dev"
  mkdir -m 1777 "$ROOT/dev/shm"
  for name in null zero full random urandom; do touch "$ROOT/dev/$name"; mount --bind "/dev/$name" "$ROOT/dev/$name"; done
  mount --bind "$DATA" "$ROOT/data"
  mount -o remount,bind,ro "$ROOT"
  ip link set lo up
  exec setpriv --no-new-privs --bounding-set=-all,+sys_chroot,+setuid,+setgid \
    chroot --userspec=10001:10001 "$ROOT" \
    /bin/sh -c "cd /data && while case \"\$1\" in *=*) true;; *) false;; esac; do export \"\$1\"; shift; done && exec \"\$@\"" sh "$@"
' bash "$@"
