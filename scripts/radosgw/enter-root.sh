#!/bin/bash
# Starts cluster.sh inside a root file system; to be run in a mount and a PID namespace of its own, as its first process:
#
#   unshare --mount --pid --fork --kill-child enter-root.sh ROOT MONITOR_PORT GATEWAY_PORT
#
# What the daemons write is in memory: nothing of a run is left in the root, several can run at once, and the folders of
# the machine itself (/var/lib/ceph, /etc/ceph) are out of sight.
set -euo pipefail
root=$1
shift
mount --make-rprivate /
mount -t proc proc "$root/proc"
mount --bind /dev "$root/dev"
for folder in run tmp etc/ceph var/lib/ceph var/log/ceph; do mount -t tmpfs tmpfs "$root/$folder"; done
cp "$(dirname "$0")/cluster.sh" "$root/run/cluster.sh"
exec chroot "$root" /bin/bash /run/cluster.sh "$@"
