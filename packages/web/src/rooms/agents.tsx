import type { TargetedKeyboardEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { Icon } from '../parts/icons.tsx'
import { useSteady } from '../parts/use-steady.ts'
import { go } from '../store/route.ts'
import { attempt, mayChange, needs, rows } from '../store/store.ts'
import {
  clearFilter,
  filterKind,
  filterKinds,
  filterText,
  filterTone,
  fold,
  isFiltered,
  pinnedRows,
  shownRows,
  togglePin,
  tones,
} from '../store/tree-view.ts'
import { AgentRow } from './agent-row.tsx'
import { NodeRow } from './node-row.tsx'
import { OutputSearch } from './output-search.tsx'

/** All terminals as a tree: each below the terminal that opened it. */
export function AgentsRoom() {
  const shown = shownRows.value
  const room = useRef<HTMLElement>(null)
  const steady = useSteady(room)
  return (
    <main ref={room} class="room" aria-labelledby="agents-title">
      <header class="bar">
        <h1 id="agents-title">Agents</h1>
        <span class="count">{rows.value === null ? '' : summary()}</span>
        <Filters />
        {mayChange.value && (
          <button type="button" class="main" aria-keyshortcuts="c" onClick={() => void openTerminal()}>
            <Icon name="add" />
            New terminal
          </button>
        )}
      </header>
      {rows.value?.length === 0 ? <Nothing /> : <OutputSearch />}
      {pinnedRows.value.length > 0 && (
        <section class="pinned" aria-label="Pinned">
          <ul class="rows" onKeyDown={keyPressed}>
            {pinnedRows.value.map((entry) =>
              entry.row === null ? null : <AgentRow key={entry.id} row={entry.row} depth={0} below={entry.below} />,
            )}
          </ul>
        </section>
      )}
      {shown.length > 0 && (
        <ul class="rows" aria-label="All terminals" onKeyDown={keyPressed}>
          {shown.map((entry) =>
            entry.row === null ? (
              <NodeRow key={entry.id} entry={entry} isFoldable={!isFiltered.value} />
            ) : (
              <AgentRow
                key={entry.id}
                row={entry.row}
                depth={entry.depth}
                below={entry.below}
                isContext={entry.isContext}
                isFoldable={!isFiltered.value}
                steady={steady}
              />
            ),
          )}
        </ul>
      )}
      {(rows.value?.length ?? 0) > 0 && shown.length === 0 && (
        <div class="nothing">
          <p>No terminal matches.</p>
          <button type="button" onClick={clearFilter}>
            Show all
          </button>
        </div>
      )}
    </main>
  )
}

function Filters() {
  return (
    <div class="filters">
      <select
        aria-label="State"
        value={filterTone.value ?? ''}
        onChange={({ currentTarget: { value } }) => {
          filterTone.value = tones.find(([tone]) => tone === value)?.[0] ?? null
        }}
      >
        <option value="">any state</option>
        {tones.map(([tone, words]) => (
          <option key={tone} value={tone}>
            {words}
          </option>
        ))}
      </select>
      <select
        aria-label="Kind"
        value={filterKind.value ?? ''}
        onChange={({ currentTarget: { value } }) => {
          filterKind.value = value === '' ? null : value
        }}
      >
        <option value="">any kind</option>
        {[...new Set([...filterKinds.value, ...(filterKind.value === null ? [] : [filterKind.value])])].map((kind) => (
          <option key={kind} value={kind}>
            {kind}
          </option>
        ))}
      </select>
      <input
        type="search"
        class="filter"
        placeholder="Filter"
        aria-label="Filter terminals by name, title, task or folder"
        aria-keyshortcuts="/"
        value={filterText.value}
        onInput={(event) => {
          filterText.value = event.currentTarget.value
        }}
      />
    </div>
  )
}

/** Keys in a row: left and right arrows fold and unfold, `p` pins. */
function keyPressed(event: TargetedKeyboardEvent<HTMLUListElement>): void {
  const { key, ctrlKey, altKey, metaKey, target } = event
  const terminalId = target instanceof Element ? target.closest('li')?.dataset['terminal'] : undefined
  if (terminalId === undefined || ctrlKey || altKey || metaKey) return
  if (key === 'ArrowLeft' || key === 'ArrowRight') fold(terminalId, key === 'ArrowLeft')
  else if (key === 'p') togglePin(terminalId)
  else return
  event.preventDefault()
}

export async function openTerminal(): Promise<void> {
  const opened = await attempt((client) => client.call('create', { waitFor: 'none' }))
  if (opened !== null) go({ room: 'terminal', terminalId: opened.terminalId })
}

function summary(): string {
  const all = rows.value ?? []
  const open = all.filter(({ state }) => state !== 'exited').length
  const working = all.filter(({ state }) => state === 'busy').length
  const asking = needs.value.length
  const parts = [`${open} open`, working > 0 && `${working} working`, asking > 0 && `${asking} need you`]
  return parts.filter(Boolean).join(', ')
}

function Nothing() {
  return (
    <div class="nothing">
      <p>No terminals are open.</p>
      <p class="quiet">
        Agents open them through MCP. You open them with <code>agentpty new</code>, or here.
      </p>
      {mayChange.value && (
        <button type="button" class="main" onClick={() => void openTerminal()}>
          <Icon name="add" />
          New terminal
        </button>
      )}
    </div>
  )
}
