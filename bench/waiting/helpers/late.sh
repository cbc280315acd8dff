#!/bin/sh
# a launcher that says nothing for 0.7 s before its program comes
sleep 0.7
exec "$@"
