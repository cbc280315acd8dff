#!/bin/bash
# a countdown that takes no input, between the attempts to connect
while true; do
  echo 'db1: connection refused'
  for left in 5 4 3 2 1; do
    printf '\rRetrying in %d ' "$left"
    sleep 1
  done
  printf '\nTry another host? [host]: '
  read -r host
done
