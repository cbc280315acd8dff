#!/bin/sh
# a launcher that leaves the cursor behind words for 0.7 s, as if it asked, before its program comes
printf 'loading settings: '
sleep 0.7
printf '\r                  \r'
exec "$@"
