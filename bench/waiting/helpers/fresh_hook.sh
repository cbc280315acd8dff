#!/bin/sh
# a git hook that takes its time and asks on the terminal
sleep 1.2
exec < /dev/tty
printf 'The tests were not run. Commit anyway? [y/N] '
read -r answer
sleep 0.8
[ "$answer" = y ]
