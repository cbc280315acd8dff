#!/bin/bash
# a countdown that any key ends, and after a silent pause another one
countdown() {
  for left in 9 8 7 6 5 4 3 2 1; do
    printf '\r%s %d ' "$1" "$left"
    read -r -s -n 1 -t 1 && break
  done
  echo
}
countdown 'Press any key to keep the old kernel, installing in'
sleep 3
countdown 'Press Esc to enter setup, booting in'
sleep 60
