/** tmux through one persistent control-mode client: output arrives as %output lines, one window per session. */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { LineReader } from '../lib/line-reader.mjs'
import { countLines, sleep, within } from '../lib/measure.mjs'
import { kill, stat } from '../lib/processes.mjs'
import { bashCommand, privateEnvironment, prompt } from '../lib/workspace.mjs'

const tailMax = 8_192
const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`
const unescaped = (text) => text.replace(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))

export async function make({ home }) {
  const control = new ControlClient(path.join(home, 'tmux.sock'), privateEnvironment(home))

  const type = (session, line) => {
    session.tail = ''
    control.send(`send-keys -t ${session.id} -l ${quote(line)} ; send-keys -t ${session.id} Enter`, 2)
  }
  const screen = (session, options = '') => control.ask(`capture-pane -p ${options} -t ${session.id}`)

  return {
    start: () => control.start(),
    stop: () => control.stop(),
    serverPids: () => control.pids(),
    create: ({ stampFile } = {}) => control.open(`exec ${bashCommand(stampFile)}`),
    waitPrompt: (session, timeoutMs) => control.until(session, prompt, timeoutMs),
    async exec(session, line, marker, timeoutMs) {
      type(session, line)
      await control.until(session, marker, timeoutMs)
      return session.tail
    },
    async ready(session, line, timeoutMs) {
      type(session, line)
      await control.until(session, prompt, timeoutMs)
      return 'the caller knows the prompt and watches %output'
    },
    streamStart(session) {
      session.bytes = 0
      session.lines = 0
    },
    streamStat: async ({ bytes, lines }) => ({ bytes, lines }),
    async collect(file) {
      const session = await control.open(`cat ${file}`)
      await within(session.gone, 10_000, 'exit')
      await sleep(50) // its last output may follow the news of its end
      control.remove(session)
      return session.bytes
    },
    async close(session) {
      await control.ask(`kill-pane -t ${session.id}`)
      control.remove(session)
    },
    async agentCommand(session, line, done) {
      await control.ask(`send-keys -t ${session.id} clear Enter`)
      await sleep(100)
      await control.ask(`clear-history -t ${session.id}`)
      type(session, line)
      await done()
      return [await screen(session, '-J -S -')]
    },
    async agentKeys(session, keys, settle) {
      for (const part of keys.split(/(\r|\x1b)/).filter(Boolean)) {
        const key = { '\r': 'Enter', '\x1b': 'Escape' }[part]
        await control.ask(`send-keys -t ${session.id} ${key ?? `-l ${quote(part)}`}`)
      }
      await settle()
      return [await screen(session)]
    },
    toolText: async () => '', // models know tmux
  }
}

class ControlClient {
  #socket
  #environment
  #process
  #server = 0
  #lines = new LineReader('latin1')
  #block = null
  #asked = []
  #sessions = new Map()
  #closedWindows = new Set()

  constructor(socket, environment) {
    this.#socket = socket
    this.#environment = environment
  }

  async start() {
    const first = ['new-session', '-s', 'bench', '-x', '80', '-y', '24', 'sleep 100000']
    const args = ['-f', '/dev/null', '-S', this.#socket, '-C', ...first]
    this.#process = spawn('tmux', args, { env: this.#environment, stdio: ['pipe', 'pipe', 'ignore'] })
    // The answer to new-session itself is the first block.
    const started = new Promise((resolve, reject) => this.#asked.push({ resolve, reject }))
    this.#process.stdout.on('data', (chunk) => this.#read(chunk))
    await started
    await this.ask('refresh-client -C 80x24')
    this.#server = Number(await this.ask("display-message -p '#{pid}'"))
  }

  async stop() {
    this.#process.stdin.write('kill-server\n')
    await sleep(200)
    for (const pid of this.pids()) if (stat(pid)?.name.startsWith('tmux')) kill(pid)
  }

  pids() {
    return [this.#server, this.#process.pid].filter(Boolean)
  }

  ask(command) {
    return new Promise((resolve, reject) => {
      this.#asked.push({ resolve, reject })
      this.#process.stdin.write(`${command}\n`)
    })
  }

  /** Sends without waiting; a command line of several commands gets as many answers. */
  send(command, answers) {
    for (let i = 0; i < answers; i++) this.#asked.push({})
    this.#process.stdin.write(`${command}\n`)
  }

  async open(command) {
    const answer = await this.ask(`new-window -d -P -F '#{pane_id} #{window_id}' ${quote(command)}`)
    const [id, window] = answer.trim().split(' ')
    const session = this.#session(id)
    session.window = window
    if (this.#closedWindows.has(window)) session.end()
    return session
  }

  until(session, marker, timeoutMs = 30_000) {
    const found = new Promise((resolve) => {
      if (session.tail.includes(marker)) resolve()
      else session.waits.push({ marker, resolve })
    })
    return within(found, timeoutMs, marker)
  }

  remove(session) {
    this.#sessions.delete(session.id)
  }

  /** Output may arrive before the answer that names its session. */
  #session(id) {
    let session = this.#sessions.get(id)
    if (!session) {
      session = { id, tail: '', waits: [], bytes: 0, lines: 0 }
      session.gone = new Promise((resolve) => {
        session.end = resolve
      })
      this.#sessions.set(id, session)
    }
    return session
  }

  #read(chunk) {
    for (const line of this.#lines.push(chunk)) this.#receive(line)
  }

  #receive(line) {
    if (line.startsWith('%output ')) this.#output(line)
    else if (line.startsWith('%begin ')) this.#block = []
    else if (line.startsWith('%end ') || line.startsWith('%error ')) {
      const text = this.#block.join('\n')
      const asked = this.#asked.shift()
      this.#block = null
      if (line.startsWith('%end ')) asked?.resolve?.(text)
      else asked?.reject?.(new Error(text))
    } else if (this.#block) this.#block.push(line)
    else if (/^%(unlinked-)?window-close /.test(line)) this.#closed(line.split(' ')[1])
  }

  #output(line) {
    const space = line.indexOf(' ', 8)
    const session = this.#session(line.slice(8, space))
    const text = unescaped(line.slice(space + 1))
    session.bytes += text.length
    session.lines += countLines(text)
    session.tail = (session.tail + text).slice(-tailMax)
    const met = session.waits.filter(({ marker }) => session.tail.includes(marker))
    session.waits = session.waits.filter((wait) => !met.includes(wait))
    for (const { resolve } of met) resolve()
  }

  #closed(window) {
    this.#closedWindows.add(window)
    for (const session of this.#sessions.values()) if (session.window === window) session.end()
  }
}
