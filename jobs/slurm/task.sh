#!/bin/bash
# Stage @STAGE@ of a warcorpus job. An element of the array runs its share of the stage's tasks and passes
# over those that are done, so it may run any number of times. `warcorpus slurm` wrote this file.
#
#SBATCH --job-name=warcorpus-@STAGE@
#SBATCH --time=@TIME@
#SBATCH --mem=@MEMORY@
#SBATCH --cpus-per-task=@CPUS@
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --signal=B:USR1@120
@OPTIONS@
@PRELUDE@
# What follows works whatever the lines above set: a shell may end at a command that fails (`set -e`) or a variable that
# is not set (`set -u`).
out=@OUT@
tasks=@TASKS@
elements=@ELEMENTS@

# Arrays have a largest size; $1 is where among all elements this one begins.
element=$((${1:-0} + SLURM_ARRAY_TASK_ID))
first=$((tasks * element / elements))
last=$((tasks * (element + 1) / elements - 1))

@PROGRAM@ task @STAGE@ "$first-$last" --out "$out" --threads "${SLURM_CPUS_PER_TASK:-1}"@SCRATCH@ &
task=$!

# USR1 comes two minutes before the time is up: another run shall do the rest. TERM comes when the job is
# cancelled, or requeued by Slurm itself: end, and leave it at that.
again=
end() {
    again=${1:-}
    signalled=yes
    kill -TERM "$task" 2>/dev/null || true
}
trap 'end yes' USR1
trap 'end' TERM

# A signal ends `wait` before the task ends.
signalled=yes
while [ -n "$signalled" ]; do
    signalled=
    code=0
    wait "$task" || code=$?
done

case $code in
    130)
        if [ -n "$again" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt @RESTARTS@ ]; then
            trap '' TERM # which requeueing sends
            echo "time is nearly up; the rest is left to another run, in two minutes or later"
            scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID" || true
        fi
        ;;
esac
exit "$code"
