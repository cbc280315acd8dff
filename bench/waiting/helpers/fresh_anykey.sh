#!/bin/sh
# waits for any key the old way: stty and dd
while true; do
  printf 'Press any key to continue...'
  stty -icanon -echo
  dd bs=1 count=1 > /dev/null 2>&1
  stty icanon echo
  echo
  sleep 1.2
done
