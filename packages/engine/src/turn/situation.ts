/** A moment with the kernel's facts, and what is computed from it at most once. */

import type { Facts } from '@agentpty/protocol'
import type { Kind } from '@agentpty/protocol/session'
import { allOf, type KindSign, kindSigns, shapeOfPrompt, type When } from './kind-signs.ts'
import { type PromptShape, promptShape } from './prompt-shape.ts'
import type { TurnMoment } from './turn-moment.ts'

export interface Situation {
  readonly moment: TurnMoment
  readonly facts: Facts
  readonly shape: () => PromptShape
  readonly kind: () => Kind
}

/** Null as long as there are no facts. */
export function situationAt(moment: TurnMoment): Situation | null {
  const { facts, output } = moment
  if (facts === null) return null
  const shape = once(() => promptShape(output.cursorLine().before))
  return { moment, facts, shape, kind: once(() => kindOf(moment, facts)) }
}

// biome-ignore format: a row is a line, in columns.
const kinds: readonly (readonly [kind: Kind, when: When<KindSign>])[] = [
  ['password',     ['hidden', 'secret']],
  // The shell that the session was started with.
  ['password',     ['ourShell', 'secret']],
  ['continuation', ['ourShell', 'continues']],
  // Without marks, by the prompt that it shows then.
  ['continuation', ['namedShell', 'wasShell', '!marked', 'secondPrompt']],
  ['continuation', ['namedShell', 'wasShell', '!marked', 'blank', '!canonical']],
  ['shell',        ['ourShell']],
  // Without echo. An inner shell reads its own line after its prompt.
  ['password',     ['!shell', 'secret']],
  ['password',     ['!inner', 'secret']],
  ['password',     ['!canonical', 'stars']],
  ['password',     ['!canonical', 'secretAgain']],
  // On its own alternate screen. A program that draws may ask in a line of its screen.
  ['pager',        ['screen', 'pagerReads']],
  ['pager',        ['screen', 'outOfSight', 'pagerPrompt']],
  ['pager',        ['screen', 'outOfSight', 'wasPager', 'looksFor']],
  ['password',     ['screen', 'asksSecret']],
  ['key',          ['screen', '!cursorHidden', 'endsAskingKey']],
  ['tui',          ['screen']],
  // The terminal edits lines.
  ['line',         ['readsForScript']],
  ['shell',        ['canonical', 'shell']],
  ['repl',         ['canonical', 'interpreter', '!asksByName']],
  ['repl',         ['canonical', 'ownName']],
  ['line',         ['canonical']],
  // Raw. The time left stands behind the words that ask for a key.
  ['key',          ['keyInTime']],
  // Input goes through the relaying program, whose screen this is.
  ['tui',          ['inner', 'relayHere', 'alternateScreen', 'namedShell']],
  // Line editors poll or read key by key and draw the line themselves; they are at a prompt.
  ['shell',        ['shell']],
  ['tui',          ['choices']],
  ['line',         ['asksWithMark']],
  // It takes what to choose from by its standard input, and draws a list around its prompt.
  ['tui',          ['interpreter', 'picks']],
  ['repl',         ['interpreter']],
  ['pager',        ['pagerPrompt', 'ownDescriptor']],
  ['pager',        ['pagerPrompt', 'outOfSight']],
  ['pager',        ['pagerPrompt', 'plainlyPager']],
  ['repl',         ['pagerPrompt']],
  ['password',     ['drawn', 'asksSecret']],
  ['password',     ['drawn', 'caret', 'secretAtCaret']],
  ['line',         ['drawn', 'caret']],
  ['key',          ['drawn', '!cursorHidden', 'endsAskingKey']],
  ['key',          ['drawn', 'lastAsksKey']],
  ['line',         ['drawn', 'lastAsksLine']],
  ['key',          ['drawn', 'blank', 'lastNamesKeys']],
  ['key',          ['drawn', 'blank', 'wasKey']],
  ['key',          ['listsKeys', '!editor']],
  ['line',         ['drawn', '!cursorHidden', 'labelled']],
  ['tui',          ['drawn']],
  ['password',     ['asksSecret']],
  ['key',          ['asksAnyKey']],
  ['key',          ['inner', 'alternateScreen', 'endsAskingKey']],
  // The modes that a multiplexer sets show nothing about the program inside.
  ['tui',          ['inner', 'alternateScreen', 'words', '!interpreted']],
  ['tui',          ['inner', 'alternateScreen', 'blank', '!interpreted']],
  ['key',          ['!editor', 'inRead', 'oneByte']],
  ['key',          ['!editor', 'inRead', 'asksKey']],
  ['line',         ['blank', 'markAbove']],
  ['repl',         ['blank', 'editor']],
  ['key',          ['blank', 'rawKeys']],
  ['key',          ['blank', 'lastNamesKeys']],
  ['key',          ['blank', 'wasKey']],
  ['other',        ['blank']],
  ['line',         ['question']],
  ['shell',        ['namedShell', 'short']],
  ['repl',         ['editor']],
  ['line',         []],
]

const rows = kinds.map(([kind, when]) => ({ kind, fits: allOf(kindSigns, when) }))

/** Decides which kind of input a waiting program expects. The rows are in order: the first row whose signs all hold decides. */
function kindOf(moment: TurnMoment, facts: Facts): Kind {
  const waiting = { moment, facts, shapeByReader: once(() => shapeOfPrompt(moment, facts)) }
  return rows.find(({ fits }) => fits(waiting))?.kind ?? 'other'
}

/** Returns a function that works the value out when it is first asked for, and keeps it. */
function once<Value>(workOut: () => Value): () => Value {
  let known: { readonly value: Value } | null = null
  return () => {
    known ??= { value: workOut() }
    return known.value
  }
}
