/** The lineage as a tree for people. */

import { overridingStatus, stateWords, statusWords } from '@agentpty/protocol/session'
import type { ListedAgent, VerbOutput } from '@agentpty/protocol/verbs'
import { usageText } from '../../find-command.ts'
import { cell, table } from '../../format-tables.ts'
import type { TerminalStates } from '../../terminal-states.ts'

type Node = VerbOutput<'lineage'>['nodes'][number]
type Sum = VerbOutput<'lineage'>['rollUps'][string]

const whatWidthMax = 48
const questionWidthMin = 20

export interface Tree {
  /** Parents first. A node whose parent is not among them is at the top. */
  readonly nodes: readonly Node[]
  readonly agents: readonly ListedAgent[]
  readonly states: TerminalStates
  readonly rollUps?: VerbOutput<'lineage'>['rollUps']
  /** Questions wrap at this column; absent: they do not. */
  readonly cols?: number | undefined
}

export function formatTree({ nodes, agents, states, rollUps = {}, cols = Number.POSITIVE_INFINITY }: Tree): string {
  if (nodes.length === 0) return 'No terminals and no agents.\n'
  const known = new Set(nodes.map(({ nodeId }) => nodeId))
  const childrenOf = (parentId: string | null) =>
    nodes.filter((node) => (node.parentId !== null && known.has(node.parentId) ? node.parentId : null) === parentId)
  const byTerminal = new Map(agents.map((agent) => [agent.terminalId, agent]))
  const rows = (node: Node, [first, further]: Branch): readonly TreeRow[] => {
    const below = childrenOf(node.nodeId)
    const lines = below.flatMap((child, index) =>
      rows(child, index === below.length - 1 ? [`${further}└─ `, `${further}   `] : [`${further}├─ `, `${further}│  `]),
    )
    const agent = node.terminalId === null ? undefined : byTerminal.get(node.terminalId)
    const [name, ...cells] = cellsOf(node, { agent, states, sum: rollUps[node.nodeId] })
    const prefix = `${further}${below.length > 0 ? '│  ' : '   '}`
    return [{ cells: [`${first}${name}`, ...cells], question: questionLines(agent, prefix, cols) }, ...lines]
  }
  const all = childrenOf(null).flatMap((node) => rows(node, ['', '']))
  const lines = table(all.map(({ cells }) => cells)).split('\n')
  return all.map(({ question }, index) => `${lines[index]}\n${question}`).join('')
}

interface TreeRow {
  readonly cells: readonly string[]
  /** Whole lines below the row; empty without a question. */
  readonly question: string
}

/** Prefixes of a node's own row and of the rows below it. */
type Branch = readonly [first: string, further: string]

function questionLines(agent: ListedAgent | undefined, prefix: string, cols: number): string {
  if (agent?.needs !== 'answer' || agent.question === undefined) return ''
  const width = Math.max(cols - prefix.length, questionWidthMin)
  let lines = ''
  let line = 'asks:'
  for (const word of cell(agent.question, Number.POSITIVE_INFINITY).trim().split(' ')) {
    if (line.length + 1 + word.length <= width) line += ` ${word}`
    else [lines, line] = [`${lines}${prefix}${line}\n`, word]
  }
  return `${lines}${prefix}${line}\n`
}

interface Shown {
  readonly agent: ListedAgent | undefined
  readonly states: TerminalStates
  readonly sum: Sum | undefined
}

function cellsOf(node: Node, { agent, states, sum }: Shown): readonly string[] {
  const { terminalId, label, lastAction, summary, cwd, kind } = node
  const what = agent?.type ?? (kind === 'group' ? 'group' : (lastAction ?? ''))
  const hasName = terminalId === null || label !== terminalId
  const names = [hasName ? cell(label, whatWidthMax) : terminalId, hasName ? (terminalId ?? '') : '']
  const below = sum === undefined ? [] : [elapsedText(sum.elapsedMs), ownText(sum), belowText(sum)]
  const texts = [cell(what, whatWidthMax), cell(summary ?? '', whatWidthMax), cwd ?? '']
  return [...names, stateOf(node, states), ...below, ...texts]
}

/** The same words as the page. Empty for a group without a status of its own. */
function stateOf({ terminalId, kind, status }: Node, states: TerminalStates): string {
  const state = terminalId === null ? undefined : states.get(terminalId)
  if (state === undefined) return kind === 'group' && status === 'idle' ? '' : statusWords[status]
  const override = overridingStatus(status, state)
  return override === null || state.need !== null ? stateWords(state) : statusWords[override]
}

/** Returns the usage of the node itself. */
const ownText = ({ usage }: Sum): string => (usage === null ? '' : usageText(usage))

/** `3 below: 2 work, 1 failed; 48k in, 904 out`; nothing where nothing is below, and nothing was. */
function belowText(sum: Sum): string {
  if (sum.below === 0) return sum.usageBelow === null ? '' : `gone: ${usageText(sum.usageBelow)}`
  const parts = [
    [sum.working, 'work'],
    [sum.waiting, 'wait'],
    [sum.finished, 'done'],
    [sum.failed, 'failed'],
    [sum.paused, 'paused'],
  ] as const
  const said = parts.flatMap(([count, words]) => (count === 0 ? [] : [`${count} ${words}`]))
  const used = sum.usageBelow === null ? '' : `; ${usageText(sum.usageBelow)}`
  return `${sum.below} below: ${said.join(', ')}${used}`
}

/** Formats a duration in the largest unit that gives at least one: `45s`, `12m`, `3h`, `2d`. */
function elapsedText(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  if (seconds < 60) return `${seconds}s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`
}
