#!/bin/bash
# a worker behind a coprocess: the script asks, hands the answer over and waits for the worker, all with read
coproc WORKER { while read -r job; do sleep 1.5; echo "result of $job"; done; }
while true; do
  read -r -p "job: " job || exit
  echo "$job" >&"${WORKER[1]}"
  read -r result <&"${WORKER[0]}"
  echo "$result"
done
