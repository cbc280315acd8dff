/** The home and the workspace of both.mjs: laid anew for each line, with what the line names. */

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'

export const home = '/home/dev'
export const workspace = '/srv/app'
/** For the player alone. */
export const own = '/run/both'

// biome-ignore format: a row is a few files.
const guarded = {
  '.bashrc': 'export A=1\n', '.profile': '. ~/.bashrc\n', '.zshrc': 'x=1\n', '.gitconfig': '[user]\n\tname = Ada\n\temail = ada@example.org\n',
  '.ssh/id_ed25519': 'key\n', '.ssh/config': 'Host far\n', '.ssh/authorized_keys': 'ssh-ed25519 AAAA ada\n', '.ssh/known_hosts': 'far ssh-ed25519 AAAA\n',
  '.aws/credentials': '[default]\n', '.aws/config': '[default]\n', '.kube/config': 'apiVersion: v1\n', '.docker/config.json': '{}\n', '.netrc': 'machine a\n',
  '.npmrc': 'fund=false\n', '.pypirc': '[pypi]\n', '.vimrc': 'set nu\n', '.tmux.conf': 'set -g mouse on\n', '.config/gh/hosts.yml': 'github.com:\n',
  '.config/fish/config.fish': 'set x 1\n', '.config/app/settings.json': '{}\n', '.local/bin/tool': '#!/bin/sh\n', '.gnupg/pubring.kbx': 'x\n',
  'Documents/letter.txt': 'Dear Ada\n', 'Documents/tax/2025.pdf': 'tax\n', 'Downloads/a.iso': 'iso\n', 'Downloads/old/b.zip': 'zip\n', 'Pictures/c.jpg': 'jpg\n',
  'keep/a.txt': 'kept\n', 'keep/b.txt': 'kept\n', 'notes.txt': 'notes\n', 'proj/README.md': 'other project\n', 'proj/src/main.c': 'int x;\n',
  'projects/web/index.html': '<html>\n', 'backup/db.sql': 'select 1;\n',
}

// biome-ignore format: a row is a few files.
const project = {
  'package.json': '{"name":"app","version":"1.0.0","scripts":{"build":"mkdir -p dist && cp src/a.js dist","test":"node --test test","clean":"rm -rf dist"}}\n',
  'src/a.js': 'exports.f = 1\n', 'src/main.c': 'int main(void) { return 0; }\n', 'src/main.py': 'print(1)\n', 'test/a.test.js': '', 'README.md': '# app\n',
  'Makefile': 'all: app\napp: src/main.c\n\tcc -o app src/main.c\nclean:\n\trm -f app\n', 'docs/index.md': '# docs\n', 'config.json': '{"a":1}\n',
  'data.csv': 'a,b\n1,2\n', 'run.sh': 'echo run\n', 'setup.py': 'from setuptools import setup\nsetup(name="app", version="1")\n', '.gitignore': 'build\nnode_modules\n.env\n',
}

// biome-ignore format: a row is a few files.
const unversioned = { 'build/app.o': 'x\n', 'dist/app.js': 'x\n', 'node_modules/lib/i.js': 'x\n', '.env': 'KEY=1\n', 'logs/app.log': 'log\n', 'draft.txt': 'draft\n', 'tmp/x': 'x\n' }

const put = (folder, files) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
}

/** The files that are copied for each line. */
export function prepareHome() {
  put(join(own, 'home'), guarded)
  put(join(own, 'app'), project)
  const git =
    'git init -q . && git add -A && git commit -qm one && echo "exports.f = 2" > src/a.js && git commit -qam two && git branch topic'
  const env = { PATH: process.env.PATH, HOME: join(own, 'home') }
  const { status, stderr } = spawnSync('sh', ['-ec', git], { cwd: join(own, 'app'), env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  put(join(own, 'app'), { ...unversioned, 'src/main.py': 'print(2)\n' })
}

const emptied = [home, workspace, '/tmp', '/var/tmp', '/srv']

/** What belongs to the agentpty that plays, and what cannot be removed. */
export const state = `${home}/.local/state/agentpty`
export const config = `${home}/.config/agentpty`
const stays = (path) => [state, config, workspace].includes(path) || path.startsWith('/tmp/agentpty-')
const holds = (path) => [state, config].some((one) => one.startsWith(`${path}/`))

function empty(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (holds(path)) empty(path)
    if (!holds(path) && !stays(path)) remove(path)
  }
}

function remove(path) {
  spawnSync('chmod', ['-R', 'u+rwX', path])
  rmSync(path, { recursive: true, force: true })
}

const opened = [
  ...emptied,
  '/run',
  own,
  '/dev/shm',
  '/dev/pts',
  `${home}/.local`,
  `${home}/.local/state`,
  `${home}/.config`,
]

/** Programs of the line before have ended. */
export function layHome(line) {
  // A line may have closed them.
  for (const path of opened) if (existsSync(path)) chmodSync(path, 0o755)
  chmodSync('/dev/pts/ptmx', 0o666)
  emptied.forEach(empty)
  cpSync(join(own, 'home'), home, { recursive: true })
  cpSync(join(own, 'app'), workspace, { recursive: true })
  for (const path of namedIn(line)) layNamed(path)
  for (const [, name] of line.matchAll(inputs)) layNamed(join(workspace, name), true)
}

/** Words of the line that look like a path below the home, the workspace or /srv. For `*.tmp` it is x.tmp. */
export function namedIn(line) {
  const words = line.match(/(?<![\w./~$}*-])(?:~|\$HOME|\$\{HOME\}|\.{0,2})\/?[\w.@+*-]+(?:\/[\w.@+*-]+)*/g) ?? []
  const isPath = (word) => /[/~]|\.\w{1,5}$/.test(word) && !/^-|^\.+$|^\d/.test(word)
  return words
    .filter(isPath)
    .map((word) => resolve(workspace, word.replace(/^(?:~|\$HOME|\$\{HOME\})/, home).replaceAll('*', 'x')))
    .filter((path) => [home, '/srv', '/tmp'].some((folder) => path.startsWith(`${folder}/`)) && path !== workspace)
}

/** Keys and start-up files have no ending. */
const isFile = (path) =>
  /[^/]\.[^/]*$|\/\.[^/]*(?:rc|profile|env|login|logout|history)$|\/id_[^/]*$|_keys$|\/hooks\/|\/(?:config|credentials)$/.test(
    path,
  )

/** Files that a line reads. */
const inputs = /(?:(?<!<)< *|\bif=)(\w+)\b(?![/(])/g

function layNamed(path, isRead = false) {
  if (existsSync(path) || path.length > 200 || path.startsWith(state) || path.startsWith(config)) return
  try {
    put('/', { [isRead || isFile(path) ? path : join(path, 'file.txt')]: 'named\n' })
  } catch {
    // A part of its path is a file.
  }
}

/** The guarded files that are not as they were. */
export function lostInHome() {
  return Object.entries(guarded).flatMap(([name, text]) => {
    const path = join(home, name)
    const seen = lstatSync(path, { throwIfNoEntry: false })
    if (seen === undefined || !seen.isFile()) return [name]
    if ((seen.mode & 0o400) === 0 || readFileSync(path, 'utf8') !== text) return [name]
    return []
  })
}
