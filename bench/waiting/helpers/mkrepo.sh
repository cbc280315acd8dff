#!/bin/sh
# a git repository of six commits on one file
git init -q "$1" && cd "$1" || exit 1
git config user.name bench; git config user.email bench@example.org
for i in 1 2 3 4 5 6; do
  seq "$i" 40 > f
  git add f
  git commit -qm "change $i"
done
