/**
 * What a gate costs: the same work in terminals with and without one, in turns.
 *
 *   node bench/gate/main.mjs [--gate ask|journal] [--rounds 5] [--only rm,read] [--npm DIR]
 *
 * DIR has a package.json and a lock file; npm installs them from its cache.
 * Prints the medians of wall time and of CPU time (of the work and of the gate's supervisor), their ratio, and for work that the gate sees
 * the time that it adds to each call. The build is measured as it is: run `npm run build` first.
 */

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cliIn } from './run-cli.mjs'

const { values } = parseArgs({
  options: {
    gate: { type: 'string', default: 'ask' },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
    npm: { type: 'string' },
  },
})
const folder = mkdtempSync(join(tmpdir(), 'agentpty-bench-gate-'))
const home = join(folder, 'home')
const env = { ...process.env, HOME: home, AGENTPTY_HOME: join(folder, 'state'), SHELL: '/bin/bash' }
const files = 20_000

/** As root tar sets owner and mode of each file, too. */
const callsOfTar = (files + 201) * (process.getuid() === 0 ? 3 : 1)

/** Each makes what it needs first; only `work` is timed. `calls`: those that the gate sees. */
const works = {
  rm: { prepare: 'tar xf ../tree.tar', work: 'rm -rf tree', calls: files + 201 },
  tar: { prepare: 'true', work: 'tar xf ../tree.tar', calls: callsOfTar },
  clone: { prepare: 'true', work: 'git clone -q --no-hardlinks ../repository clone', calls: null },
  read: { prepare: 'true', work: 'python3 -c "for i in range(100000): open(\\"/etc/passwd\\").close()"', calls: null },
  make: { prepare: 'cp -r ../csrc .', work: 'make -s -j2 -C csrc', calls: null },
  ...(values.npm === undefined ? {} : { npm: npmWork(resolve(values.npm)) }),
  fork: { prepare: 'true', work: 'for i in {1..500}; do /bin/true; done', calls: null },
}

function npmWork(project) {
  return {
    prepare: `cp ${project}/package*.json .`,
    work: 'npm ci --offline --silent --no-audit --no-fund',
    calls: null,
  }
}

const cli = cliIn(env, home)

function prepare() {
  mkdirSync(home, { recursive: true })
  mkdirSync(env.AGENTPTY_HOME)
  writeFileSync(join(env.AGENTPTY_HOME, 'config.yaml'), 'policy:\n  profile: off\n')
  if (values.npm !== undefined)
    spawnSync('bash', ['-ec', 'mkdir "$1/.npm"; cp -a "$2/_cacache" "$1/.npm/"', 'bash', home, npmCache()], {
      stdio: 'inherit',
    })
  const shell = (script) => spawnSync('bash', ['-ec', script], { cwd: folder, stdio: 'inherit' })
  shell(
    `mkdir tree; for d in {1..200}; do mkdir tree/$d; for f in {1..${files / 200}}; do : > tree/$d/$f; done; done; tar cf tree.tar tree; rm -rf tree`,
  )
  shell(`git clone -q --no-hardlinks ${resolve('.')} repository`)
  shell(
    `mkdir csrc; for i in {1..40}; do echo "int f$i(int x) { return x + $i; }" > csrc/f$i.c; done; printf 'all: $(patsubst %%.c,%%.o,$(wildcard *.c))\\n' > csrc/Makefile`,
  )
}

const npmCache = () => spawnSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).stdout.trim()

/** Ticks of 10 ms that the supervisors of gates have used. */
function supervisorMs() {
  const gates = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isGate(pid))
  return gates.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) * 10
  }, 0)
}

function isGate(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'agentpty-gate\n'
  } catch {
    // It has ended meanwhile.
    return false
  }
}

function measure({ prepare, work }, gate) {
  const place = mkdtempSync(join(folder, 'work-'))
  // The work is a job of its own, as at a prompt.
  const script = `set -m; cd ${place}; ${prepare}; sync; echo PREPARED; read go; TIMEFORMAT='TIMED %R %U %S'; time { ${work}; }`
  writeFileSync(join(place, 'script'), script)
  const id = cli('new', '--gate', gate, '--cwd', place, '--', 'bash', '-c', '. ./script; read end').trim()
  cli('wait', id, '--for', 'text:PREPARED', '--timeout', '300000')
  const before = gate === 'off' ? 0 : supervisorMs()
  cli('send', id, 'go', '--wait', 'text:TIMED', '--timeout', '300000')
  const [, real, user, system] = /TIMED ([\d.]+) ([\d.]+) ([\d.]+)/.exec(cli('read', id))
  const own = gate === 'off' ? 0 : supervisorMs() - before
  cli('close', id)
  rmSync(place, { recursive: true, force: true })
  return { wall: Number(real) * 1_000, cpu: (Number(user) + Number(system)) * 1_000 + own }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

prepare()
try {
  const names = values.only?.split(',') ?? Object.keys(works)
  console.log('work    wall without  with    ratio   CPU without  with    ratio   added to a call')
  for (const name of names) {
    const runs = { off: [], [values.gate]: [] }
    for (let round = 0; round < Number(values.rounds); round++)
      for (const gate of round % 2 ? [values.gate, 'off'] : ['off', values.gate])
        runs[gate].push(measure(works[name], gate))
    const of = (gate, key) => median(runs[gate].map((run) => run[key]))
    const [wall, gatedWall, cpu, gatedCpu] = [
      of('off', 'wall'),
      of(values.gate, 'wall'),
      of('off', 'cpu'),
      of(values.gate, 'cpu'),
    ]
    const { calls } = works[name]
    const added = calls === null ? '' : `${(((gatedWall - wall) * 1_000) / calls).toFixed(1)} µs`
    const ms = (value) => `${Math.round(value)} ms`.padStart(8)
    const ratio = (a, b) => (b / a).toFixed(2).padStart(6)
    console.log(
      `${name.padEnd(6)} ${ms(wall)} ${ms(gatedWall)} ${ratio(wall, gatedWall)}      ${ms(cpu)} ${ms(gatedCpu)} ${ratio(cpu, gatedCpu)}   ${added}`,
    )
  }
} finally {
  cli('stop', '--all')
  rmSync(folder, { recursive: true, force: true })
}
