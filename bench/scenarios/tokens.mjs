/**
 * The amount a model has to read for six everyday tasks, and whether it then knows the answer.
 *
 * Best-case timing: a file shows the caller when a task is done, and it reads once. Real agents poll and read more.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { sleep, within } from '../lib/measure.mjs'
import { openSession } from '../lib/session.mjs'
import { countTokens } from '../lib/tokens.mjs'

export const defaults = {}

export async function run({ peer, context }, { dump }) {
  if (!peer.agentCommand) return { skipped: 'no agent reads from it' }
  const folder = path.join(context.home, 'tokens')
  mkdirSync(folder)
  const result = {}
  for (const task of tasksIn(folder)) {
    const { name, ...measured } = await runTask(peer, task, dump)
    result[name] = measured
  }
  result.schemas = sizeOf([await peer.toolText()])
  return result
}

async function runTask(peer, task, dump) {
  const { name } = task
  if (task.fullScreen && peer.noFullScreen) return { name, skipped: 'impossible without a PTY' }
  const session = await openSession(peer)
  await sleep(200)
  try {
    const replies = await within(
      task.command ? runCommand(peer, session, task) : typeKeys(peer, session, task),
      120_000,
      name,
    )
    if (dump) writeFileSync(`${dump}.${name}.txt`, replies.join('\n=====\n'))
    // In JSON replies, a model reads the text, with its lines.
    const read = replies.join('\n').replaceAll('\\n', '\n')
    return { name, ...sizeOf(replies), ok: task.check(read) }
  } catch (error) {
    return { name, error: error.message.slice(0, 200) }
  } finally {
    await peer.close(session).catch(() => null)
  }
}

function runCommand(peer, session, { command, doneFile }) {
  const done = async () => {
    for (let i = 0; i < 1_500 && !existsSync(doneFile); i++) await sleep(20)
    await sleep(300)
  }
  return peer.agentCommand(session, command, done)
}

async function typeKeys(peer, session, { steps, fullScreen }) {
  const replies = []
  for (const [keys, settleMs] of steps) {
    replies.push(...(await peer.agentKeys(session, keys, () => sleep(settleMs), { fullScreen })))
  }
  return replies
}

function sizeOf(replies) {
  const text = replies.join('\n')
  return { bytes: Buffer.byteLength(text), tokens: countTokens(text), calls: replies.length }
}

function tasksIn(folder) {
  const write = (name, text) => {
    const file = path.join(folder, name)
    writeFileSync(file, text)
    return file
  }
  const done = (name) => path.join(folder, `${name}.done`)
  const progress = write('progress.sh', `${progressScript}\ntouch ${done('progress')}\n`)
  const build = write('build.sh', `${buildScript}\ntouch ${done('build')}\n`)
  const prose = write('prose.txt', Array.from({ length: 60 }, (_, i) => `line ${i + 1} alpha beta gamma\n`).join(''))
  const program = write('program.py', debuggedProgram)
  return [
    {
      name: 'listing',
      command: `ls -la /usr/bin | head -100; touch ${done('listing')}`,
      doneFile: done('listing'),
      check: (text) => (text.match(/^[-lrwxsdt]{10}/gm) ?? []).length >= 95,
    },
    {
      name: 'progress',
      command: `bash ${progress}`,
      doneFile: done('progress'),
      check: (text) => text.includes('done'),
    },
    {
      name: 'vim',
      fullScreen: true,
      steps: [
        [`vim ${prose}\r`, 700],
        ['30G', 400],
        ['wcwCHANGED\x1b', 1200],
        [':wq\r', 700],
      ],
      check: () => readFileSync(prose, 'utf8').includes('line CHANGED alpha'),
    },
    {
      name: 'pdb',
      steps: [
        [`python3 -m pdb ${program}\r`, 1200],
        ['b 3\r', 300],
        ['c\r', 300],
        ['p x\r', 300],
        ['w\r', 300],
        ['n\r', 300],
        ['q\r', 500],
      ],
      check: (text) => text.includes('Breakpoint 1'),
    },
    {
      name: 'build',
      command: `bash ${build}`,
      doneFile: done('build'),
      check: (text) => text.includes('undeclared identifier'),
    },
    {
      name: 'top',
      fullScreen: true,
      steps: [
        ['top\r', 3000],
        ['q', 300],
      ],
      check: (text) => text.includes('load average'),
    },
  ]
}

/** 500 redraws of one line. */
const progressScript = `for i in $(seq 1 500); do
  printf '\\r[%-50s] %3d%%' "$(printf '#%.0s' $(seq 1 $((i / 10 + 1))))" $((i / 5))
done
printf '\\ndone\\n'`

/** 3,000 lines, with the relevant one in the middle. */
const buildScript = `i=0
while [ $i -lt 3000 ]; do
  i=$((i + 1))
  if [ $i = 1500 ]; then echo "src/mod_750/file_1500.c:42:7: error: use of undeclared identifier 'frobnicate'"
  else echo "[$i/3000] Compiling src/mod_$((i / 2))/file_$i.c -> build/obj/file_$i.o"; fi
done`

const debuggedProgram = `import math
${Array.from({ length: 9 }, (_, i) => `def f${i}(x):\n    return math.sqrt(x) + ${i}\n`).join('')}
total = 0
for k in range(5):
    total += f3(k)
print("total", round(total, 3))
`
