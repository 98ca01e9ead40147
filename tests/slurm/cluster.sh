#!/usr/bin/env bash
# A real Slurm on this machine alone, for tests. Debian or Ubuntu, root, no systemd needed.
#
#   cluster.sh start            installs Slurm if it is missing, starts it, waits until the node is idle
#   eval "$(cluster.sh env)"    lets sbatch and the others find it; exit code 1 if it does not run
#   cluster.sh stop             cancels its jobs, ends its daemons, removes its folder
#
# CLUSTER_CPUS (2), CLUSTER_MAX_ARRAY (8: indices 0 to 7) and CLUSTER_PORT (17817, and the one after it)
# change what `start` makes; CLUSTER_DIR is where all of it stands. Nothing is written to /etc, and a
# Slurm that runs here already is left alone: key, socket, ports and folder are our own.
set -euo pipefail

dir=${CLUSTER_DIR:-${TMPDIR:-/tmp}/warcorpus-slurm-$UID}
port=${CLUSTER_PORT:-17817}
export SLURM_CONF=$dir/slurm.conf
PATH=$PATH:/usr/sbin:/sbin

say() { echo "cluster: $*" >&2; }

install() {
    if hash munged slurmctld slurmd sbatch 2>/dev/null; then return; fi
    [ "$UID" = 0 ] || { say "Slurm is not installed, and only root can install it"; exit 1; }
    say "installing slurm-wlm and munge"
    local apt="apt-get -q -y -o DPkg::Lock::Timeout=300" packages="slurm-wlm munge"
    export DEBIAN_FRONTEND=noninteractive
    $apt install --no-install-recommends $packages >&2 ||
        { $apt update && $apt install --no-install-recommends $packages; } >&2
}

configure() {
    local host megabytes listen=
    host=$(uname -n)
    host=${host%%.*}
    megabytes=$(awk '/^MemTotal:/ {print int($2 / 1100)}' /proc/meminfo)
    # The daemons listen on the address of the host's own name if told so. Only where that is loopback do
    # they find each other there; elsewhere they listen on all, and the key keeps others out.
    case $(getent ahostsv4 "$host" || true) in
        127.*) listen=CommunicationParameters=NoInAddrAny,NoCtldInAddrAny ;;
    esac
    mkdir -p "$dir"/{log,run,spool,state,munge}
    chmod 700 "$dir/munge" "$dir/state"
    (umask 077 && head -c 1024 /dev/urandom >"$dir/munge/key")
    cat >"$SLURM_CONF" <<CONF
ClusterName=warcorpus
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
$listen
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
MaxArraySize=${CLUSTER_MAX_ARRAY:-8}
MinJobAge=3600
KillWait=5
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/run/slurmctld.pid
SlurmdPidFile=$dir/run/slurmd.pid
SlurmctldLogFile=$dir/log/slurmctld
SlurmdLogFile=$dir/log/slurmd
NodeName=node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=${CLUSTER_CPUS:-2} RealMemory=$megabytes
PartitionName=test Nodes=node Default=YES MaxTime=INFINITE DefaultTime=10 DefMemPerCPU=100 State=UP
CONF
    echo "CgroupPlugin=cgroup/v1" >"$dir/cgroup.conf"
}

# Process of a daemon of this cluster, if it runs: the folder stands on its command line.
pid_of() {
    local pid
    pid=$(cat "$dir/run/$1.pid" 2>/dev/null) && grep -qsF "$dir/" "/proc/$pid/cmdline" && echo "$pid"
}

usable() { [[ $(timeout 5 sinfo --noheader --format=%T 2>/dev/null) =~ ^(idle|mixed|allocated|completing)$ ]]; }

running() { pid_of munged && pid_of slurmctld && pid_of slurmd; } >/dev/null

start() {
    if running && usable; then return; fi
    install
    stop
    configure
    # --force: folders of /tmp belong to others as well.
    munged --force --key-file="$dir/munge/key" --seed-file="$dir/munge/seed" --socket="$dir/run/munge.socket" \
        --pid-file="$dir/run/munged.pid" --log-file="$dir/log/munged" 2>>"$dir/log/munged"
    slurmctld -f "$SLURM_CONF"
    slurmd -N node -f "$SLURM_CONF"
    for ((tries = 0; tries < 300; tries++)); do
        if running && usable; then return; fi
        sleep 0.2
    done
    tail -n 20 "$dir"/log/* >&2
    stop
    say "the node did not become usable within a minute"
    exit 1
}

# Steps outlive slurmd; they carry our configuration in their environment.
steps() {
    local process
    for process in $(pgrep slurmstepd); do
        if grep -qsF "SLURM_CONF=$SLURM_CONF" "/proc/$process/environ"; then echo "$process"; fi
    done
}

stop() {
    if running; then
        # A job that is requeued meanwhile is pending again, hence more than once.
        for ((tries = 0; tries < 20; tries++)); do
            jobs=$(timeout 10 squeue --noheader --format=%A || true)
            if [ -z "$jobs" ]; then break; fi
            scancel $jobs || true
            sleep 1
        done
    fi
    for daemon in slurmd slurmctld munged; do
        while pid=$(pid_of $daemon); do
            kill "$pid" && sleep 0.1
        done
    done
    steps | xargs -r kill -KILL
    rm -rf "$dir"
}

case ${1:-} in
    start | stop) "$1" ;;
    env) running && echo "export SLURM_CONF=$SLURM_CONF" ;;
    *) sed -n '2,/^set/ s/^# \{0,1\}//p' "$0" && exit 2 ;;
esac
