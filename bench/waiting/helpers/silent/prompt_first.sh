#!/bin/bash
# each question is printed before the work that precedes its read
printf 'Database name: '
sleep 0.3
read -r name
printf 'Owner of %s: ' "$name"
sleep 0.45
read -r owner
printf 'Encoding: '
sleep 0.2
read -r encoding
printf 'Creating '
sleep 60
