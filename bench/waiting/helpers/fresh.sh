#!/bin/sh
# runs a program in an empty home of its own, so that nothing is left from the scenario before
HOME=$(mktemp -d "$HOME/XXXXXX") || exit 1
export HOME
cd || exit 1
exec "$@"
