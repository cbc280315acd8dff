/** Lines in a terminal whose gate asks: changes of files are asked about where they happen, and everything else by its words. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { codeOf } from './judging-fixture.ts'
import { outsideTree } from './programs/programs.ts'

const gated = { gate: { isKept: (path: string) => !path.endsWith('large.db'), canElevate: true } }

test.each([
  'rm -rf build',
  'rm -rf ~/Downloads',
  'rm -rf "$x"',
  'find . -name "*.tmp" -delete',
  'find ~/proj -name x -exec rm {} +',
  'ls | xargs rm',
  'echo x > /srv/other/file',
  'echo x > "$file"',
  'cp a ~/Documents/a',
  'echo alias x=y >> ~/.bashrc',
  'cp key ~/.ssh/config',
  'sed -i s/a/b/ /srv/other/x',
  'mv x /srv/other/y',
  'rm -rf *',
  'rm -f .git/index.lock',
  'git clean -fdx',
  'git reset --hard',
  'git checkout -- .',
  'git restore src',
  "sqlite3 app.db 'drop table users'",
  'python3 -c "import shutil; shutil.rmtree(\'build\')"',
])('%s is left to the gate', (line) => {
  expect([codeOf(line) === 'A', codeOf(line, gated)]).toEqual([false, 'A'])
})

test.each([
  'rm -rf /',
  'rm -rf ~',
  'cat ~/.ssh/id_rsa',
  'git push --force',
  'git branch -D topic',
  'rm -rf .git',
  'rm -rf .git/*',
  'find .git -delete',
  'rm -rf ../app',
  'python3 -c "import shutil; shutil.rmtree(\'.git\')"',
  'git stash drop',
  'git checkout -B main',
  "sqlite3 large.db 'drop table users'",
  "sqlite3 /srv/other/app.db 'drop table users'",
  "psql -c 'drop table users'",
  'sudo rm x',
  'rm /etc/hosts',
  'eval "$x"',
  'npm publish',
  'crontab -r',
  "echo '{}' > .git/hooks/pre-commit",
  "echo '{}' > ~/.claude/settings.json",
  'echo \'{"chat.tools.autoApprove": true}\' > .vscode/settings.json',
])('%s is judged as without a gate', (line) => {
  const code = codeOf(line)
  expect([code === 'A', codeOf(line, gated)]).toEqual([false, code])
})

test.each(['sudo apt-get install x', 'su -c id', 'doas id', 'env A=1 sudo id'])(
  '%s is refused where the gate takes the rights from it, with the way out',
  (line) => {
    expect(codeOf(line, { gate: { ...gated.gate, canElevate: false } })).toBe('D1')
    expect(codeOf(line, gated)).toBe(codeOf(line))
  },
)

const elsewhere: Readonly<Record<string, string>> = {
  ssh: 'ssh host',
  docker: 'docker exec c',
  podman: 'podman run --rm image',
  kubectl: 'kubectl exec pod --',
  tmux: 'tmux new-session',
  adb: 'adb shell',
  wsl: 'wsl',
  'systemd-run': 'systemd-run --user',
  distrobox: 'distrobox enter box --',
}

test.each(Object.entries(elsewhere))('what %s runs is judged by its words', (program, start) => {
  expect(outsideTree.has(program)).toBe(true)
  for (const line of [`${start} rm -rf /srv/other`, `cd x && ${start} rm -rf /srv/other`]) {
    expect(codeOf(line)).not.toBe('A')
    expect(codeOf(line, gated)).toBe(codeOf(line))
  }
})

test('a line behind such a command is left to the gate again', () => {
  expect(codeOf('ssh host uptime', gated)).toBe(codeOf('ssh host uptime'))
  expect(codeOf('docker ps; rm -rf build', gated)).toBe('A')
})

test('of 504 unseen dangerous lines the floor refuses the same ones', () => {
  const lines = readFileSync('tests/policy/unseen.jsonl', 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { readonly command: string | readonly string[] })
  const isFloor = (command: string | readonly string[], isGated: boolean) =>
    codeOf(command, isGated ? gated : {}) === 'D2'
  for (const { command } of lines) expect(isFloor(command, true), JSON.stringify(command)).toBe(isFloor(command, false))
})
