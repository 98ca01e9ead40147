#!/bin/bash
# Submits the stages of a warcorpus job as array jobs; each begins when all of the one before is done, and is
# cancelled if that fails. After a failure, run this again: what is done is passed over.
# jobs.tsv lists what is submitted: stage, job id, first and last element.
set -euo pipefail

out=@OUT@
jobs=$out/slurm/jobs.tsv
most=@MAX_ARRAY@ # elements of an array; 0: what Slurm allows

if [ -s "$jobs" ] && [ -n "$(squeue --noheader --jobs="$(cut -f 2 "$jobs" | paste -s -d ,)" 2>/dev/null)" ]; then
    echo "jobs of an earlier submission are in the queue still; wait, or cancel them:" >&2
    echo "  scancel $(cut -f 2 "$jobs" | paste -s -d ' ')" >&2
    exit 1
fi
if [ "$most" = 0 ]; then
    most=$(scontrol show config | awk '$1 == "MaxArraySize" { print $3 }')
fi
mkdir -p "$out/slurm/log"
: >"$jobs"

# All or nothing: half a chain would wait for ever, or run without its end.
trap 'cut -f 2 "$jobs" | xargs -r scancel; : >"$jobs"' EXIT

# submit STAGE ELEMENTS
after=
submit() {
    local stage=$1 elements=$2 log=${out//%/%%}/slurm/log first last id ids=
    for ((first = 0; first < elements; first += most)); do
        last=$((first + most < elements ? first + most - 1 : elements - 1))
        id=$(sbatch --parsable --array="0-$((last - first))@LIMIT@" --output="$log/$stage-%A_%a.log" $after \
            "$out/slurm/$stage.sh" "$first") || { code=$?; [ "$code" = 127 ] && exit 1; exit @REFUSED@; }
        id=${id%%;*} # the name of the cluster may follow
        ids+=:$id
        printf '%s\t%s\t%s\t%s\n' "$stage" "$id" "$first" "$last" | tee -a "$jobs"
    done
    after="--dependency=afterok$ids --kill-on-invalid-dep=yes"
}
@SUBMIT@

trap - EXIT
