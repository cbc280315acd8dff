/**
 * A terminal within a chat: its screen as it changes, and a keyboard for the person who looks at it.
 *
 * The host passes calls of tools on. Whatever the model does in the same terminal is seen here, and the other way round.
 */

import '@xterm/xterm/css/xterm.css'
import { lookOf, TerminalView } from '@agentpty/terminal-view'
import { Host, isObject, type Json } from './host.ts'
import { keyOf } from './press.ts'

const waitMs = 20_000
/** The time (ms) between two drawings of a flood of output. No person sees more, and each drawing costs the host two calls. */
const drawEveryMs = 80

const host = new Host(window.parent)
const part = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}
const name = part('name')
const title = part('title')
const turn = part('turn')
const screen = part('screen')
const hint = part('hint')
const view = new TerminalView({
  parent: screen,
  mayType: true,
  look: lookOf({ fontSize: 12 }),
  scrollback: 0,
  growsDown: true,
  typed: (text) => type('terminal_send', { text, newline: false }),
  pressed: press,
  leave: () => view.terminal.blur(),
})

let terminalId: string | null = null
let isOver = false
let canCall = false

host.on('ui/notifications/tool-input', ({ arguments: input }) => show(isObject(input) ? input : {}))
host.on('ui/notifications/tool-result', ({ structuredContent }) =>
  show(isObject(structuredContent) ? structuredContent : {}),
)
host.on('ui/notifications/host-context-changed', adopt)
host.on('ui/resource-teardown', () => {
  isOver = true
})

function adopt({ theme, styles }: Json): void {
  if (theme === 'light' || theme === 'dark') document.documentElement.style.colorScheme = theme
  const variables = isObject(styles) && isObject(styles['variables']) ? styles['variables'] : {}
  for (const [key, value] of Object.entries(variables))
    if (typeof value === 'string') document.documentElement.style.setProperty(key, value)
}

/** Takes the first terminal that a message names. */
function show({ terminalId: id, name: called }: Json): void {
  if (typeof called === 'string') name.textContent = called
  if (typeof id !== 'string' || terminalId !== null) return
  terminalId = id
  if (typeof called !== 'string' && name.textContent === 'terminal') name.textContent = id
  if (canCall) void follow(id)
}

async function follow(id: string): Promise<void> {
  try {
    let cursor = await seenUpTo(id, { waitFor: 'none' })
    while (!isOver) {
      await draw(id)
      cursor = await seenUpTo(id, { waitFor: ['output', 'exit'], since: [cursor], waitTimeoutMs: waitMs })
      await pause(drawEveryMs)
    }
  } catch (error) {
    isOver = true
    hint.textContent = error instanceof Error ? error.message : String(error)
  }
}

async function seenUpTo(id: string, wait: Json): Promise<number> {
  const { terminals } = await host.call('terminal_wait', { terminalIds: [id], ...wait })
  const [one] = Array.isArray(terminals) ? terminals : []
  return isObject(one) ? Number(one['cursor']) : 0
}

async function draw(id: string): Promise<void> {
  const shot = await host.call('terminal_screenshot', { terminalId: id, format: 'ansi' })
  drawScreen(shot)
  title.textContent = typeof shot['title'] === 'string' ? shot['title'] : ''
  const state = String(shot['state'] ?? '')
  turn.hidden = state === ''
  turn.dataset['state'] = state
  turn.textContent = wordsFor(state, shot)
  if (state !== 'exited') return
  isOver = true
  hint.textContent = 'The program has ended.'
}

/** In one piece, so that nothing between two screens is seen. */
function drawScreen(shot: Json): void {
  const rows = Number(shot['rows'])
  const cols = Number(shot['cols'])
  const { terminal } = view
  if (terminal.rows !== rows || terminal.cols !== cols) terminal.resize(cols, rows)
  const lines = String(shot['screen']).split('\n').slice(0, rows)
  const cursor = `\x1b[${Number(shot['cursorRow']) + 1};${Number(shot['cursorCol']) + 1}H`
  const hidden = shot['state'] === 'exited' ? '\x1b[?25l' : ''
  terminal.write(`\x1b[0m\x1b[2J\x1b[H${lines.join('\x1b[0m\r\n')}\x1b[0m${cursor}${hidden}`)
}

function wordsFor(state: string, { kind, exitCode }: Json): string {
  if (state === 'ready') return typeof kind === 'string' ? `your turn: ${kind}` : 'your turn'
  if (state === 'exited') return exitCode === undefined ? 'ended' : `ended: ${exitCode}`
  return state
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

let typed: Promise<unknown> = Promise.resolve()

/** One after the other, in the order of the keyboard. */
function type(tool: string, input: Json): void {
  if (terminalId === null || !canCall || isOver) return
  const call = { terminalId, waitFor: 'none', ...input }
  typed = typed
    .then(() => host.call(tool, call))
    .catch((error: unknown) => {
      hint.textContent = error instanceof Error ? error.message : String(error)
    })
}

/**
 * Which bytes a key is depends on what the program has asked of its terminal, and that is known where the program runs: keys go by their
 * names. What is composed or pasted comes as text, by `typed`.
 */
function press(event: KeyboardEvent): boolean {
  if (event.type !== 'keydown' || event.isComposing) return true
  const isPaste = event.ctrlKey && event.key === 'v'
  const isCopy = event.ctrlKey && event.key === 'c' && view.terminal.hasSelection()
  const key = isPaste || isCopy ? null : keyOf(event)
  if (key === null) return !isPaste && !isCopy
  event.preventDefault()
  type('terminal_send_keys', { keys: [key] })
  return false
}

new ResizeObserver(() => {
  const { scrollWidth: width, scrollHeight: height } = document.documentElement
  host.notify('ui/notifications/size-changed', { width, height })
}).observe(document.documentElement)

const { hostCapabilities, hostContext } = await host.open()
adopt(isObject(hostContext) ? hostContext : {})
canCall = isObject(hostCapabilities) && isObject(hostCapabilities['serverTools'])
hint.textContent = canCall ? 'Click and type: keys go to the terminal.' : 'This host shows no live terminals.'
if (canCall && terminalId !== null) void follow(terminalId)
