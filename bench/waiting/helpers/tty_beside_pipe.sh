#!/bin/bash
# a loop over the lines of a pipe that asks about each on the terminal
printf 'alpha\nbeta\ngamma\n' | while read -r name; do
  sleep 0.9
  read -r -p "Keep $name? [y/n] " answer < /dev/tty
  [ "$answer" != stop ] || sleep 60
done
sleep 60
