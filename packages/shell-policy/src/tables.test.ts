/** The tables: each names its source, and each row of the table of smuggled commands is used. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { judgementOn } from './judging-fixture.ts'
import { smugglingPatterns, smugglingTable } from './programs/smuggling-table.ts'

const folder = import.meta.dirname
const tables = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('-table.ts'))

test.each(tables)('%s names its source in its head comment', (name) => {
  const [head = ''] = readFileSync(join(folder, name), 'utf8').split('*/')
  expect(head).toMatch(/^\/\*\*[\s\S]*\bSource: \S/)
})

const lines = Object.entries(smugglingTable).flatMap(([name, options]) =>
  options.split(' ').map((option) => `${name} ${option.length === 1 ? '-' : '--'}${option} ./evil`),
)

describe('a row of options makes a program run a command:', () => {
  test.each(lines)('%s', (line) => {
    expect(judgementOn(line).rule).toBe('smuggled-exec')
  })
})

/** Words for the patterns, one each, in the order of the table. */
const words: Readonly<Record<string, readonly string[]>> = {
  tar: ['--checkpoint-action=exec=./evil'],
  gtar: ['--checkpoint-action=exec=./evil'],
  less: ['+!./evil', '-k./evil'],
  more: ['+!./evil'],
  vim: ['+:r !./evil', '+py print(1)'],
  vi: ['+!./evil'],
  nvim: ['+!./evil', '+lua os.exit()'],
  man: ['-P./evil', '-H./evil'],
  java: ['-javaagent:./evil.jar', '-XX:OnError=./evil'],
  gcc: ['-fplugin=./evil.so', '-B./evil', '-specs=./evil'],
  'g++': ['-fplugin=./evil.so', '-specs=./evil'],
  clang: ['-fplugin=./evil.so', '-fpass-plugin=./evil.so'],
  ld: ['-plugin=./evil.so'],
  go: ['-toolexec=./evil'],
  cargo: ['--config=build.rustc-wrapper="./evil"', 'target.x.runner = "./evil"'],
  pip: ['--config-setting=cmd=./evil'],
  apt: ['DPkg::Pre-Invoke::=./evil', 'Acquire::http::ProxyAutoDetect=./evil'],
  'apt-get': ['DPkg::Pre-Invoke::=./evil', 'Acquire::http::Proxy-Auto-Detect=./evil', 'Dir::Bin::dpkg=./evil'],
  dpkg: ['--pre-invoke=./evil'],
  hg: ['--config=alias.x=!./evil'],
  fzf: ['--bind=enter:execute(./evil)'],
  pytest: ['-pevil'],
  sqlite3: ['-cmd=.shell ./evil', '.shell ./evil', "select load_extension('./evil')"],
  psql: ['\\! ./evil', '\\o |./evil', '\\g |./evil', "copy t to program './evil'"],
  mysql: ['\\! ./evil', 'system ./evil'],
  mariadb: ['\\! ./evil', 'system ./evil'],
  lftp: ['ls; !./evil'],
  nmap: ['--script=./evil.nse'],
  tshark: ['lua_script:./evil.lua'],
  pdflatex: ['-shell-escape'],
  latex: ['-shell-escape'],
  xelatex: ['-shell-escape'],
  lualatex: ['-shell-escape'],
  ghc: ['-pgmF./evil'],
  rustc: ['-Clinker=./evil'],
  emacs: ['--eval=(load "./evil")'],
}

describe('a row of patterns finds the command in a word:', () => {
  test.each(Object.entries(smugglingPatterns))('%s', (name, patterns) => {
    expect(words[name]?.length).toBe(patterns.length)
    for (const [index, pattern] of patterns.entries()) {
      const word = words[name]?.[index] ?? ''
      expect(pattern.test(word), word).toBe(true)
      expect(judgementOn(`${name} '${word.replaceAll("'", "'\\''")}'`).rule, word).toBe('smuggled-exec')
    }
  })
})
