#!/bin/bash
# prints its question one character every 300 ms, and only then reads
ask() {
  local text=$1 i
  for ((i = 0; i < ${#text}; i++)); do
    printf '%s' "${text:i:1}"
    sleep 0.3
  done
  read -r answer
}
ask 'Name? '
ask 'Size? '
for i in {1..200}; do
  printf .
  sleep 0.3
done
