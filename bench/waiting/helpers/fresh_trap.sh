#!/bin/sh
# works for long; an interrupt asks whether to stop
ask() {
  printf '\nReally stop? [y/N] '
  read -r answer
  [ "$answer" != y ] || exit 1
}
trap ask INT
for i in 1 2 3 4 5 6 7 8 9; do
  echo "step $i"
  sleep 1.3
done
