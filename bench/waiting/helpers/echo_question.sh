#!/bin/bash
# questions that end in a newline, so that the cursor stands at the start of an empty line
sleep 0.7
echo 'The disk holds 3 old backups.'
echo 'Delete them? (yes/no)'
read -r answer
sleep 1.3
echo 'Deleted.'
echo 'Name of the next backup:'
read -r answer
echo 'Writing'
sleep 60
