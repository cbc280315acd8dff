/** The prompt of a shell, and text that was typed there and not entered. A command typed after such text would join it. */

import { marksPrompts } from '@agentpty/engine/marks'
import { renderText } from '@agentpty/engine/screen'
import type { Session } from '@agentpty/engine/session'
import { searchableText } from '@agentpty/engine/waits'
import { type Clock, type Millis, renderBytesMax, TermError } from '@agentpty/protocol'
import type { CallContext, Condition } from '@agentpty/protocol/call'
import type { Kind, Typist } from '@agentpty/protocol/session'
import { markedPromptVerdictMs, promptVerdictMs, verdictOf } from './observe.ts'
import { renderSlice } from './read-text.ts'
import { waitFor } from './wait-in-call.ts'

const ctrlC = Uint8Array.of(0x03)
/** A shell redraws its prompt within milliseconds; one with a slow prompt takes longer. */
const clearedMsMax = 5_000
/** From a shell that waits again to its drawing of what the key has done. */
const drawnMs = 100
const shownCharactersMax = 200
const lookbackBytes = 4 * 1024

/** Waits while a shell still reads its start-up files: it has not marked its first prompt, and asks nothing. */
export async function waitForFirstPrompt(session: Session, wait: FirstPromptWait): Promise<void> {
  const { commands, info } = session
  if (commands.integrated || !marksPrompts(info.shell)) return
  const { clock, timeoutMs, context } = wait
  const conditions = [{ kind: 'ready', confidence: 'low' }] as const
  await waitFor(clock, session, { conditions, since: session.parsedTo, timeoutMs }, context)
}

export interface FirstPromptWait {
  readonly clock: Clock
  readonly timeoutMs: Millis
  readonly context: CallContext
}

/** Errors: `shell_busy`, `not_a_shell`, `session_exited`. */
export async function assertAtPrompt(session: Session): Promise<void> {
  const verdict = await session.freshVerdict(session.commands.atPrompt ? markedPromptVerdictMs : promptVerdictMs)
  const { id } = session.info
  if (session.exit !== null) {
    throw new TermError(
      'session_exited',
      `The program of ${id} has ended.`,
      'Leave out terminalId to run in a fresh terminal.',
    )
  }
  const isShell = verdict.kind === 'shell' || verdict.kind === 'continuation'
  if (verdict.state === 'ready' && isShell && session.commands.integrated) return
  // A shell that has drawn a prompt without a mark has no integration: a start-up file has replaced it.
  const isStarting = marksPrompts(session.info.shell) && !isShell
  if (session.info.shell !== null && (session.commands.integrated || isStarting)) {
    const { evidence } = verdictOf(session, verdict)
    throw new TermError(
      'shell_busy',
      `The shell of ${id} is not at its prompt (${verdict.kind ?? verdict.state}${evidence ? `: ${evidence[0]}` : ''}).`,
      wayToPrompt(verdict.kind),
    )
  }
  throw new TermError(
    'not_a_shell',
    `${id} is not a shell that marks its commands.`,
    'Use terminal_send, or leave out terminalId to run in a fresh terminal. A terminal made without a command has a shell that marks them.',
  )
}

/** The next move towards a shell's prompt, by what waits in front of it. */
function wayToPrompt(kind: Kind | null): string {
  switch (kind) {
    case null:
      return 'Wait for it with terminal_wait, or interrupt it with terminal_send_keys ["ctrl+c"].'
    case 'pager':
      return 'Leave the pager with terminal_send_keys ["q"].'
    case 'tui':
      return 'Leave the full-screen program first: terminal_send_keys ["escape", ":q!", "enter"] in vim, ["q"] or ["ctrl+x"] in many others.'
    case 'menu':
      return 'Choose with terminal_send_keys ["down", "enter"], or leave the menu with ["escape"].'
    case 'key':
      return 'Press the key that it asks for with terminal_send_keys, or interrupt it with ["ctrl+c"].'
    case 'password':
      return 'Let a person type the password with terminal_ask_person, or interrupt it with terminal_send_keys ["ctrl+c"].'
    case 'repl':
      return 'Type into the interpreter with terminal_send, or leave it with terminal_send_keys ["ctrl+d"].'
    default:
      return 'Answer what it asks with terminal_send, or interrupt it with terminal_send_keys ["ctrl+c"].'
  }
}

/** Errors: `line_not_empty` when there is text at the prompt, or the shell waits for the rest of a command. */
export async function assertEmptyPrompt(session: Session): Promise<void> {
  const typed = await typedAtPrompt(session)
  if (typed === '' && !session.commands.continues) return
  const shown = JSON.stringify(typed.length > shownCharactersMax ? `${typed.slice(0, shownCharactersMax)}[...]` : typed)
  const { id } = session.info
  throw new TermError(
    'line_not_empty',
    session.commands.continues
      ? `The shell of ${id} waits for the rest of ${shown}.`
      : `At the prompt of ${id} stands ${shown}, typed and not entered.`,
    'Drop it with clearLine:true (ctrl+c), or enter it first. Nothing was typed.',
  )
}

/** Text after the newest prompt; empty for none. The shell's own report counts: a right prompt or a job's output is drawn there too. */
export async function typedAtPrompt(session: Session): Promise<string> {
  const drawn = await drawnAtPrompt(session)
  if (drawn === '' || session.commands.continues) return drawn
  const report = await session.keyboard.lineEditor.report()
  return report === null ? drawn : report.line.trim()
}

async function drawnAtPrompt(session: Session): Promise<string> {
  const { log, commands, parsedTo, size } = session
  const { promptEnd } = commands
  if (promptEnd === null || promptEnd >= parsedTo) return ''
  const { bytes } = log.read({ since: promptEnd, until: parsedTo, maxBytes: renderBytesMax })
  if (searchableText(bytes).trim() === '') return ''
  const [first, ...others] = await renderSlice(session, promptEnd, parsedTo)
  const lead = log.read({ since: log.lineStartBefore(promptEnd, lookbackBytes), until: promptEnd }).bytes
  const prompt = (await renderText(lead, { cols: size.cols })).at(-1)?.text ?? ''
  const typed = withoutRightPrompt(first?.text ?? '', size.cols - prompt.length)
  return [typed, ...others.map(({ text }) => text)].join('\n').trim()
}

/** zsh and fish may draw a second prompt at the right edge of the row; nothing was typed there. */
function withoutRightPrompt(text: string, cols: number): string {
  const gap = text.length >= cols - edgeColumns ? /\s{2,}\S+(?: \S+)*$/.exec(text) : null
  return gap === null ? text : text.slice(0, gap.index)
}

/** A prompt's last blank, and the column that shells leave free at the edge. */
const edgeColumns = 3

export interface Clearing {
  readonly typist: Typist
  readonly context: CallContext
}

/** Presses ctrl+c and waits for a fresh prompt. Errors: `shell_busy` when none comes; `person_types`. */
export async function clearPrompt(clock: Clock, session: Session, { typist, context }: Clearing): Promise<void> {
  const { promptEnd } = session.commands
  const isFresh = () => session.commands.promptEnd !== promptEnd && !session.commands.continues
  const deadline = clock.now() + clearedMsMax
  const holds = async (condition: Condition, latest = deadline) => {
    const wait = { conditions: [condition], since: session.parsedTo, timeoutMs: latest - clock.now() }
    return (await waitFor(clock, session, wait, context))?.outcome === 'met'
  }
  const release = session.watch()
  try {
    await session.keyboard.write(ctrlC, typist)
    while (await holds({ kind: 'ready', confidence: 'low' })) {
      if (isFresh()) return
      // A shell that has taken the key may look for more before it draws. fish loses one that comes while it colours the line.
      if (await holds({ kind: 'output' }, Math.min(deadline, clock.now() + drawnMs))) continue
      if (clock.now() >= deadline) break
      await session.keyboard.write(ctrlC, typist)
    }
  } finally {
    release()
  }
  throw new TermError(
    'shell_busy',
    `The shell of ${session.info.id} drew no fresh prompt after ctrl+c.`,
    'Look with terminal_screenshot.',
  )
}
