/** The detail view as HTML. All text from programs and callers is escaped here; no other module builds HTML. */

import {
  type Entry,
  entryName,
  entryTone,
  entryWords,
  isGroup,
  isOver,
  type TreeRow,
} from '@agentpty/protocol/overview'
import { lasted } from '@agentpty/protocol/recording'
import { endOf, type TimelineItem, whatOf, whoOf } from '@agentpty/protocol/timeline'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { shownHolder } from '../tree/own-holder.ts'
import { belowWords } from '../tree/terminals-tree.ts'

export interface Details {
  readonly entry: TreeRow
  /** Outermost first. */
  readonly above: readonly Entry[]
  /** The rows directly below it. */
  readonly children: readonly TreeRow[]
  /** Null while unknown. */
  readonly sum: VerbOutput<'lineage'>['rollUps'][string] | null
  /** Milliseconds since 1970; null while unknown. */
  readonly beganAt: number | null
  /** Newest last; null without a terminal. */
  readonly items: readonly TimelineItem[] | null
  readonly hasOlder: boolean
}

/** The content of the frame, replaced after each change. */
export function detailsHtml(details: Details): string {
  const { entry, above, children } = details
  return [
    breadcrumb(above, entry),
    `<h1>${escaped(entryName(entry))}</h1>`,
    stateLine(entry),
    buttons(entry),
    facts(details),
    children.length === 0 ? '' : below(entry, children),
    happened(details),
  ].join('\n')
}

export interface Frame {
  readonly script: string
  readonly nonce: string
  readonly title: string
}

/** The page around the content. Its policy allows only its own script. */
export function frameHtml({ script, nonce, title }: Frame): string {
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; script-src 'nonce-${nonce}'`
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escaped(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style nonce="${nonce}">${style}</style>
</head>
<body>
<main id="details"></main>
<div id="said" role="status" aria-live="polite"></div>
<script nonce="${nonce}" src="${escaped(script)}"></script>
</body>
</html>`
}

function breadcrumb(above: readonly Entry[], entry: Entry): string {
  if (above.length === 0) return ''
  const links = above.map((one) => `<li>${link(one)}</li>`).join('')
  return `<nav aria-label="Started by"><ol>${links}<li aria-current="page">${escaped(entryName(entry))}</li></ol></nav>`
}

const link = (entry: Entry) =>
  `<button type="button" class="link" data-open="${escaped(entry.id)}" id="open-${escaped(entry.id)}">${escaped(entryName(entry))}</button>`

function stateLine(entry: TreeRow): string {
  const { row } = entry
  const kind = isGroup(entry) ? 'group' : (row?.agent?.type ?? (row === null ? 'agent' : 'terminal'))
  const words = entryWords(entry)
  const tone = entryTone(entry)
  const state = words === '' ? '' : `<span class="state ${tone ?? ''}">${escaped(words)}</span>`
  const since = row === null ? (entry.node.changedAt ?? entry.node.createdAt) : row.since
  const time = `<span class="quiet">for <time data-since="${since}"></time></span>`
  const lease = shownHolder(row)
  const holder = lease === '' ? '' : `<span class="taken">${escaped(lease)}</span>`
  const client = row === null || row.clientEndedAt === null ? '' : '<span class="quiet">its client has ended</span>'
  return `<p class="line"><span class="kind">${escaped(kind)}</span>${state}${words === '' ? '' : time}${holder}${client}</p>`
}

type Button = readonly [command: string, label: string]

function buttons(entry: TreeRow): string {
  const { row } = entry
  const ofRow: readonly Button[] = row === null ? [] : ofTerminal(row)
  const shown: readonly Button[] = [
    ...ofRow,
    ...(isOver(entry) ? [['retry', 'Retry'] as const] : [['stop', 'Stop…'] as const]),
    ['renameNode', 'Rename…'],
    ['moveTo', 'Move…'],
    row === null ? ['removeNode', 'Remove'] : ['close', 'Close'],
  ]
  const made = shown.map(
    ([command, label]) => `<button type="button" id="do-${command}" data-do="${command}">${label}</button>`,
  )
  return `<div class="buttons" role="toolbar" aria-label="Actions">${made.join('')}</div>`
}

function ofTerminal({ state, mayType, need }: NonNullable<Entry['row']>): readonly Button[] {
  const asks: readonly Button[] = need === null ? [] : [['answerTerminal', 'Answer…']]
  const lease: Button = mayType === 'person' ? ['release', 'Hand Back'] : ['take', 'Take Over']
  return [...asks, ['open', 'Show Terminal'], ...(state === 'exited' ? [] : [lease])]
}

function facts({ entry, sum, beganAt }: Details): string {
  const { row, node, below } = entry
  const used = sum?.usage ?? null
  const usedBelow = sum?.usageBelow ?? null
  const rows: readonly (readonly [string, string])[] = [
    ['Task', row?.agent?.task ?? ''],
    ['Summary', node?.summary ?? ''],
    ['Last action', row === null ? (node.lastAction ?? '') : ''],
    ['Role', node === null || node.role === node.kind ? '' : node.role],
    ['Runs', row?.program ?? ''],
    ['Title', row?.title ?? ''],
    ['Folder', row?.cwd ?? ''],
    ['Lasted', sum === null || !isOver(entry) ? '' : lasted(sum.elapsedMs / 1_000)],
    ['Used', used === null ? '' : usageWords(used)],
    ['Used below', usedBelow === null ? '' : usageWords(usedBelow)],
    ['Below', belowWords(below)],
    ['Id', entry.id],
  ]
  const shown = rows.filter(([, value]) => value !== '')
  const began =
    beganAt === null || isOver(entry) ? '' : `<dt>Began</dt><dd><time data-since="${beganAt}"></time> ago</dd>`
  return `<dl>${shown.map(([name, value]) => `<dt>${name}</dt><dd>${escaped(value)}</dd>`).join('')}${began}</dl>`
}

type Used = NonNullable<VerbOutput<'lineage'>['rollUps'][string]['usage']>

/** @example '48,210 in, 1,904 out, $0.41' */
function usageWords({ input, output, costUsd }: Used): string {
  const cost = costUsd === null ? '' : `, $${costUsd.toFixed(2)}`
  return `${input.toLocaleString('en')} tokens in, ${output.toLocaleString('en')} out${cost}`
}

function below(entry: TreeRow, children: readonly TreeRow[]): string {
  const shown = children.slice(0, childrenMax)
  const lines = shown.map((one) => {
    const words = [entryWords(one), belowWords(one.below)].filter((part) => part !== '').join(' · ')
    return `<li>${link(one)} <span class="quiet">${escaped(words)}</span></li>`
  })
  const more = children.length > shown.length ? `<li class="quiet">and ${children.length - shown.length} more</li>` : ''
  return `<section aria-labelledby="below"><h2 id="below">Below ${escaped(entryName(entry))}</h2><ul>${lines.join('')}${more}</ul></section>`
}

/** Newest first, so that new items are visible. */
function happened({ items, hasOlder }: Details): string {
  if (items === null) return ''
  const older = hasOlder ? '<button type="button" id="older" data-older="1">Show Older</button>' : ''
  const none = items.length === 0 && !hasOlder ? '<p class="quiet">Nothing is known of it yet.</p>' : ''
  return `<section aria-labelledby="happened"><h2 id="happened">What Happened</h2><ol class="items">${items
    .toReversed()
    .map(line)
    .join('')}</ol>${none}${older}</section>`
}

function line(item: TimelineItem): string {
  const time = `<time data-at="${item.at}"></time>`
  if (item.kind !== 'command')
    return `<li class="${item.kind}">${time}<span class="what">${escaped(whatOf(item))}</span><span class="who">${escaped(whoOf(item))}</span></li>`
  const { offset, end, exitCode } = item
  const isFailed = exitCode !== null && exitCode !== 0
  const name = `Copy the output of ${item.line}`
  return `<li class="command${isFailed ? ' failed' : ''}">${time}<button type="button" class="what" id="copy-${offset}" data-copy="${offset}" data-end="${end ?? ''}" title="Copy its output" aria-label="${escaped(name)}">${escaped(whatOf(item))}</button><span class="who">${escaped(endOf(item))}</span></li>`
}

/** The maximum number shown; the tree has the rest. */
const childrenMax = 50

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (one) => entities[one] ?? '')
}

const style = `
body { color: var(--vscode-foreground); font: var(--vscode-font-size) var(--vscode-font-family); padding: 12px 20px 24px; }
h1 { font-size: 1.5em; font-weight: 600; margin: 4px 0; overflow-wrap: anywhere; }
h2 { font-size: 1em; font-weight: 600; margin: 20px 0 6px; }
nav ol, ul, .items { list-style: none; margin: 0; padding: 0; }
nav ol { display: flex; flex-wrap: wrap; }
nav li:not(:last-child)::after { content: "›"; margin: 0 6px; color: var(--vscode-descriptionForeground); }
.quiet, .who, .items time { color: var(--vscode-descriptionForeground); }
.line { display: flex; flex-wrap: wrap; gap: 10px; align-items: baseline; margin: 4px 0 12px; }
.kind { padding: 1px 7px; border-radius: 9px; color: var(--vscode-badge-foreground); background: var(--vscode-badge-background); }
.state.asks, .taken { color: var(--vscode-list-warningForeground); }
.state.failed, .failed .who { color: var(--vscode-list-errorForeground); }
.state.working { color: var(--vscode-terminal-ansiBlue); }
.buttons { display: flex; flex-wrap: wrap; gap: 6px; margin-bottom: 14px; }
.buttons button, #older { padding: 4px 11px; border: 1px solid var(--vscode-button-border, transparent); border-radius: 2px;
  color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground); font: inherit; cursor: pointer; }
.buttons button:first-child { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
.buttons button:hover, #older:hover { background: var(--vscode-button-secondaryHoverBackground); }
.buttons button:first-child:hover { background: var(--vscode-button-hoverBackground); }
#older { margin-top: 8px; }
button:focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: 2px; }
.link { border: 0; padding: 0; color: var(--vscode-textLink-foreground); background: none; font: inherit; cursor: pointer; text-align: left; }
.link:hover { text-decoration: underline; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 3px 16px; margin: 0; }
dt { color: var(--vscode-descriptionForeground); }
dd { margin: 0; overflow-wrap: anywhere; }
.items li { display: grid; grid-template-columns: 70px minmax(0, 1fr) auto; gap: 12px; padding: 3px 0; align-items: baseline; }
.items li + li { border-top: 1px solid var(--vscode-widget-border, transparent); }
.items time { white-space: nowrap; }
.what { overflow-wrap: anywhere; white-space: pre-wrap; }
button.what { border: 0; padding: 0; color: inherit; background: none; text-align: left; cursor: copy;
  font-family: var(--vscode-editor-font-family); font-size: var(--vscode-editor-font-size); }
button.what:hover { color: var(--vscode-textLink-activeForeground); }
#said { position: fixed; right: 16px; bottom: 12px; padding: 4px 10px; background: var(--vscode-editorWidget-background); }
#said:empty { display: none; }
/* The last rows can be scrolled above the note. */
main:has(+ #said:not(:empty)) { padding-bottom: 30px; }
/* The panel below the editor is wide and has few rows. */
@media (max-height: 340px) {
  body { padding: 4px 12px 8px; }
  h1 { font-size: 1.1em; }
  h2 { margin: 0 0 4px; }
  .line { margin: 2px 0 4px; }
  .buttons { margin-bottom: 6px; }
  .buttons button { padding: 1px 8px; }
}
@media (max-height: 340px) and (min-width: 560px) {
  main { display: grid; grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); gap: 0 24px; align-content: start; align-items: start; }
  nav, h1, .line, .buttons { grid-column: 1 / -1; }
  dl { grid-row: span 2; }
  section { grid-column: 2; }
}
`
