#!/bin/sh
# questions with brackets in a plain shell: two lines and a key that dd takes
while true; do
  printf 'Continue [Y/n] '
  read -r go
  printf 'Mount point [/mnt]: '
  read -r mount
  sleep 3
  printf 'Format it (y/n)'
  stty -icanon -echo
  key=$(dd bs=1 count=1 2> /dev/null)
  stty icanon echo
  echo
  [ "$key" = y ] && sleep 60
done
