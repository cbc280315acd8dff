#!/bin/bash
# a password in bash, key by key, with an asterisk for each; then a silent check
while true; do
  printf 'Unlock code: '
  code=
  while IFS= read -r -s -n 1 key && [ -n "$key" ]; do
    code=$code$key
    printf '*'
  done
  echo
  sleep 1.3
  [ "$code" != long ] || sleep 60
  echo 'That is not it.'
done
