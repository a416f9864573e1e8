#!/bin/bash
# A Ceph cluster of one: monitor, manager, a store in memory, and the gateway that speaks S3. Prints the user that it
# made, as JSON with its generated keys, and runs until its standard input ends. As the first process of a PID namespace, it
# takes all daemons with it, however it ends.
#
#   cluster.sh MONITOR_PORT GATEWAY_PORT
set -euo pipefail
monitor_port=$1
gateway_port=$2
exec 3>&1 1>&2

fsid=$(cat /proc/sys/kernel/random/uuid)
mkdir -p /run/ceph /var/lib/ceph/{mon/ceph-a,osd/ceph-0,mgr/ceph-x,bootstrap-osd}
cat >/etc/ceph/ceph.conf <<CONF
[global]
fsid = $fsid
keyring = /etc/ceph/keyring
mon_host = v2:127.0.0.1:$monitor_port
mon_initial_members = a
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
public_network = 127.0.0.0/8
osd_objectstore = memstore
memstore_device_bytes = 1073741824
osd_crush_chooseleaf_type = 0
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
mon_allow_pool_size_one = true
[client]
rgw_frontends = beast endpoint=127.0.0.1:$gateway_port
CONF

key() { ceph-authtool /etc/ceph/keyring "$@" >/dev/null; }
key --create-keyring -n mon. --gen-key --cap mon 'allow *'
key -n client.admin --gen-key --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
key -n osd.0 --gen-key --cap mon 'allow profile osd' --cap osd 'allow *' --cap mgr 'allow profile osd'
key -n mgr.x --gen-key --cap mon 'allow profile mgr' --cap osd 'allow *'

as_root=(--setuser root --setgroup root)
monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$monitor_port]" /run/monmap >/dev/null
ceph-mon --mkfs -i a --monmap /run/monmap --keyring /etc/ceph/keyring "${as_root[@]}"
ceph-mon -i a "${as_root[@]}"
timeout 60 ceph auth import -i /etc/ceph/keyring
ceph-mgr -i x "${as_root[@]}"
uuid=$(cat /proc/sys/kernel/random/uuid)
timeout 60 ceph osd new "$uuid"
ceph-osd -i 0 --mkfs --osd-uuid "$uuid" "${as_root[@]}"
ceph-osd -i 0 "${as_root[@]}"
timeout 60 ceph osd crush add osd.0 1.0 root=default host=here
timeout 60 bash -c 'until ceph osd stat | grep -q "1 up"; do sleep 0.2; done'

radosgw -f "${as_root[@]}" &
timeout 120 bash -c "until (: >/dev/tcp/127.0.0.1/$gateway_port) 2>/dev/null; do sleep 0.2; done"
timeout 60 radosgw-admin user create --uid=test --display-name=test --max-buckets=0 >&3
exec 3>&-
# Ends with whoever holds the other end, even where that is killed.
cat >/dev/null
