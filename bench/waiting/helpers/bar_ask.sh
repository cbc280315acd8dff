#!/bin/bash
# a bar of hashes by hand on one line, a stall without a word at 95 %, then a question on the same line
while true; do
  for i in {1..20}; do
    printf '\r[%-20s] %3d%%' "$(printf '#%.0s' $(seq "$i"))" $((i * 5))
    if [ "$i" = 19 ]; then sleep 1.2; else sleep 0.05; fi
  done
  read -r -p '  verified, write it to the card? [y/N] ' answer
  [ "$answer" != y ] || sleep 60
done
