#!/bin/bash
# Makes a root file system with Ceph's gateway for S3 (radosgw) in CACHE/root, where it is not there yet: Debian 12 and its
# packages, about 0.9 GB. Takes a minute and the network. Needs root; leaves nothing mounted, whenever it is killed.
#
#   make-root.sh CACHE
set -euo pipefail
cache=$1
packages="radosgw ceph-mon ceph-osd ceph-mgr ceph-common"

mkdir -p "$cache"
# Two runs that begin at the same time make one root.
exec 9>"$cache/lock"
flock 9
if [ "$(cat "$cache/root/etc/offprint-packages" 2>/dev/null)" = "$packages" ]; then exit 0; fi

command -v debootstrap >/dev/null || {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends debootstrap
}
rm -rf --one-file-system "$cache/new" "$cache/root"
debootstrap --variant=minbase bookworm "$cache/new" ${OFFPRINT_RADOSGW_MIRROR:+"$OFFPRINT_RADOSGW_MIRROR"}
# The packages start no service.
printf '#!/bin/sh\nexit 101\n' >"$cache/new/usr/sbin/policy-rc.d"
chmod +x "$cache/new/usr/sbin/policy-rc.d"
# What is mounted goes with the process that mounted it.
unshare --mount --pid --fork --kill-child sh -ec '
  mount -t proc proc "$0/proc"
  mount --bind /dev "$0/dev"
  export DEBIAN_FRONTEND=noninteractive
  chroot "$0" apt-get install -y -qq --no-install-recommends $1
  chroot "$0" apt-get clean
' "$cache/new" "$packages"
echo "$packages" >"$cache/new/etc/offprint-packages"
# Only what is whole has this name.
mv "$cache/new" "$cache/root"
