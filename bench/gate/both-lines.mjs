/** The lines that both.mjs plays: those of the tests of the policy and of the gate, of the scenarios of bench/waiting, and of ordinary projects. */

import { readdirSync, readFileSync } from 'node:fs'
import { projects } from './projects.mjs'

const root = new URL('../../', import.meta.url)
const linesIn = (path) =>
  readFileSync(new URL(path, root), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
const rowsIn = (path) => linesIn(path).map((line) => JSON.parse(line))

/** One of so many is taken of the lines that nothing speaks against. */
const benignEvery = 4

/** They say nothing about a gate, and take the machine: processes without end, and lines of many kilobytes. */
const left = new Set(['fork-bomb', 'limits', 'benign-limits'])
const shells = new Set(['bash', 'sh', 'zsh', 'fish'])
const lengthMax = 2_000

function ofPolicy(file) {
  let benign = 0
  return rowsIn(`tests/policy/${file}`).flatMap(({ id, command, shell, category, expect }) => {
    // A line with editing keys is another line in a file.
    const isPlayed =
      typeof command === 'string' && command.length < lengthMax && !/[\0-\x08\x0b-\x1f\x7f]/.test(command)
    if (!isPlayed || left.has(category) || !shells.has(shell)) return []
    if (expect.standard === 'allow' && benign++ % benignEvery !== 0) return []
    return { id, command, shell, source: 'policy' }
  })
}

const ofEffects = (file) =>
  linesIn(`tests/effects/${file}`).map((command, index) => ({
    id: `${file.split('-')[0]}.${index + 1}`,
    command,
    shell: 'bash',
    source: 'effects',
  }))

function ofScenarios() {
  const files = readdirSync(new URL('bench/waiting/scenarios/', root)).filter((name) =>
    /^(classes|tuned|public)/.test(name),
  )
  return files
    .flatMap((name) => rowsIn(`bench/waiting/scenarios/${name}`))
    .flatMap(({ id, argv, phases }) => {
      const isShell = argv.length === 1 && /^\{(BASH|ZSH|FISH)\}$/.test(argv[0])
      const typed = isShell ? phases.map(({ send }) => send ?? '').filter((send) => /^[ -~]{3,}\r$/.test(send)) : []
      const given = argv[0] === 'bash' && argv[1] === '-c' ? [argv[2]] : []
      return [...typed, ...given]
        .map((command) => command.trim())
        .filter((command) => !/\{[A-Z_]+\}/.test(command))
        .map((command, index) => ({ id: `${id}.${index}`, command, shell: 'bash', source: 'scenarios' }))
    })
    .slice(0, 60)
}

const ofProjects = () =>
  projects.flatMap(({ name, commands }) =>
    commands
      .filter((_, index) => index % 4 === 0)
      .map((command, index) => ({ id: `${name}.${index}`, command, shell: 'bash', source: 'projects' })),
  )

export const lines = [
  ...ofPolicy('corpus.jsonl'),
  ...ofPolicy('unseen.jsonl'),
  ...ofEffects('destructive-lines.txt'),
  ...ofEffects('more-destructive-lines.txt'),
  ...ofScenarios(),
  ...ofProjects(),
]
