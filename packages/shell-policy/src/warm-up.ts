/** Code that has hardly run is slow: judges a few lines of many kinds before a caller waits for an answer. */

import type { PolicyShell } from '@agentpty/protocol/policy'
import { judge, judgeWrite, newSession } from './judge.ts'
import { noRules } from './rules/policy-rules.ts'

const lines = `
ls -la src | grep -v "x y" | sort -u | head -5 && echo "done $HOME" > /dev/null 2>&1
for f in *.ts; do echo "\${f:-none}" $(date +%F); done; if [ -f a ]; then cat a; else touch b; fi
rm -rf build/ dist; find . -name '*.o' -exec rm {} +; find . -name x | xargs -n1 cat
git -c color.ui=never log --oneline -3; git commit -m 'a b'; git config user.name x; git push origin main
sudo -u postgres env A=1 timeout 5 psql -c 'select 1'; systemctl status x; kill -9 123; pkill vite
curl -fsSL -H "Accept: x" https://example.com/a -o a.tgz && tar xzf a.tgz -C out; wget -q https://example.com/b; ssh host 'ls -la'
python3 -c "import os; print(open('a.txt').read())"; node -e 'console.log(require("fs").readFileSync("a"))'; perl -pe 's/a/b/' f; awk '{print $1}' f; sed -n '1,3p' f
bash -c 'echo "$1"' _ hi; eval "$(ssh-agent -s)"; f() { echo "$@"; }; f a b; alias t='npm test'; t; x=(a b); echo "\${x[@]}" {1..3}
docker run --rm -v "$PWD":/app node:20 npm test; kubectl get pods; npm install lodash; npx tsc; make -j8; terraform plan; aws s3 ls; gh pr list
echo $'a\\x41' | tr a-z A-Z; printf '%s\\n' a b | while read -r l; do echo "$l"; done; cp a b; mv c d; chmod +x run.sh; ln -s a e; mkdir -p x/y; echo x >> "ünï.txt"
i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done; for ((;;)); do break; done; declare -A m=([a]=1); [[ $x == *a* && $y =~ b ]] && echo "\${m[a]}"
vim -c ':!ls' -c q f; emacs --batch --eval '(shell-command "ls")'; sqlite3 app.db '.tables'; make -f <(printf 'all:\\n\\tls\\n'); agentpty list
ssh -oProxyCommand='nc a 22' x; gіt status; cat données.csv; case $1 in a) ls ;; *) pwd ;; esac; until false; do break; done
`

const hereDocument = `cat <<'EOF' | base64 -d
eA==
EOF`

const inlineCode = `python3 - <<'EOF'
import subprocess
subprocess.run(['ls', '-la'])
EOF
node -e "require('child_process').execSync('ls')"; ruby -e 'puts 1'`

interface WarmUpLine {
  readonly shell: PolicyShell
  readonly line: string
}

const warmUpLines: readonly WarmUpLine[] = [
  ...[...lines.trim().split('\n'), hereDocument, inlineCode, 'echo \x15ls \u00e9\u200b'].map(
    (line): WarmUpLine => ({ shell: 'bash', line }),
  ),
  { shell: 'fish', line: 'for f in *.ts; echo $f; end; set -x A b; echo (pwd)' },
  { shell: 'pwsh', line: 'Get-ChildItem src' },
  { shell: 'pwsh', line: "Get-Content a.txt | Where-Object { $_ }; Remove-Item dist -Recurse; iex 'ls'" },
]

/** Judges one line in each step, so the caller can do other work between the steps. More than one round changes little. */
export function* warmUp(): Generator<void, void> {
  const surroundings = { cwd: '/workspace/app', home: '/home/user', user: 'user', workspace: '/workspace/app' }
  const rules = { ...noRules, guarded: ['/home/user/.agentpty'] }
  for (const { shell, line } of warmUpLines) {
    judge(line, newSession(surroundings), { profile: 'restricted', shell })
    yield
    judgeWrite(`${line}\r`, newSession(surroundings), { profile: 'standard', shell, rules })
    yield
  }
}
