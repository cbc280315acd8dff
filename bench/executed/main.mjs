/**
 * The source files of which one terminal_send of `ls`, in a shell at its prompt, executes a function, in the proxy and in the daemon.
 *
 *   node bench/executed/main.mjs [CHECKOUT]    a built checkout; this one without
 *
 * Functions are counted by V8 and mapped to their files by the source maps of the bundle. Code that runs when a module is loaded does not count.
 */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkout, makeHome, remove } from '../lib/workspace.mjs'
import { make } from '../peers/agentpty.mjs'

const folder = path.resolve(process.argv[2] ?? checkout)
const home = makeHome()
const record = path.join(home, 'executed')
mkdirSync(record)
const peer = await make({ home, build: path.join(folder, 'packages', 'agentpty', 'bin', 'agentpty.js') })
Object.assign(peer.environment, {
  NODE_OPTIONS: `--require ${path.join(import.meta.dirname, 'record.cjs')}`,
  EXECUTED_FOLDER: record,
})
await peer.start()
try {
  const session = await peer.open({ shell: 'bash' })
  const send = () => peer.agentCommand(session, 'ls')
  await send()
  await send()
  await take(1)
  await send()
  await take(2)
} finally {
  await peer.stop()
}
const files = new Set(
  readdirSync(record)
    .filter((name) => name.endsWith('-2.json'))
    .flatMap(filesOf),
)
remove(home)
const byFolder = new Map()
for (const file of files) {
  const name = file.split('/').slice(0, 4).join('/')
  byFolder.set(name, (byFolder.get(name) ?? 0) + 1)
}
for (const [name, count] of [...byFolder].sort((a, b) => b[1] - a[1]))
  console.log(`${String(count).padStart(5)}  ${name}`)
console.log(`${String(files.size).padStart(5)}  files in all`)

/** Lets each process write what it has executed since. */
async function take(time) {
  const pids = nodePids(await peer.serverPids())
  for (const pid of pids) process.kill(pid, 'SIGUSR2')
  while (pids.some((pid) => !isWritten(`${pid}-${time}.json`))) await new Promise((resolve) => setImmediate(resolve))
}

function nodePids(pids) {
  return pids.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('agentpty.js'))
}

function isWritten(name) {
  try {
    JSON.parse(readFileSync(path.join(record, name), 'utf8'))
    return true
  } catch {
    // Missing or incomplete so far.
    return false
  }
}

/** The sources of the functions in one process that have run. */
function filesOf(name) {
  const scripts = JSON.parse(readFileSync(path.join(record, name), 'utf8'))
  return scripts
    .filter(({ url }) => url.startsWith('file:') && url.includes('/packages/agentpty/dist/'))
    .flatMap(({ url, functions }) => {
      const ran = functions.filter(
        ({ functionName, ranges }) => ranges[0].count > 0 && isFunction(functionName, ranges),
      )
      return ran.length === 0 ? [] : sourcesOf(fileURLToPath(url), ran)
    })
}

/** A whole module counts as a function that begins at 0. */
function isFunction(functionName, [{ startOffset }]) {
  return functionName !== '' || startOffset > 0
}

function sourcesOf(file, functions) {
  const text = readFileSync(file, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return functions.flatMap(({ ranges }) => {
    const offset = ranges[0].startOffset
    const line = starts.findLastIndex((start) => start <= offset)
    const { originalSource } = map.findEntry(line, offset - (starts[line] ?? 0))
    if (originalSource === undefined) return []
    const source = path.relative(folder, path.resolve(path.dirname(file), originalSource))
    return source.startsWith('packages/') ? [source] : []
  })
}
