# A git repository of six commits on one file, with an unstaged change.
set -e
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b.c
repo="$RUNS/repo"
git init -q "$repo"
cd "$repo"
git config user.name A
git config user.email a@b.c
for i in 1 2 3 4 5 6; do seq $i 40 > f; git add f; git commit -q -m "change $i"; done
seq 9 60 > f
[ "$(id -u)" != 0 ] || chown -R "$BENCH_USER:" "$repo"
echo "set REPO=$repo"
echo ready
exec sleep infinity
