#!/bin/bash
# texts in brackets before the cursor, read by bash as lines and as a key
while true; do
  read -r -p 'Proceed [y/N] ' go
  read -r -p 'Name [bob]: ' name
  sleep 3
  read -r -p 'Shell [/bin/bash]> ' shell
  read -r -n 1 -p 'Keep the old home [k] or drop it [d]? ' key
  echo
  [ "$key" = k ] && sleep 60
done
