import { entryName, nameOf, type Row, rowWords, type Tone } from '@agentpty/protocol/overview'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Holder, State } from '../parts/state.tsx'
import { go, pathOf } from '../store/route.ts'
import { view } from '../store/shown-screens.ts'
import { needs, wall as now, rows, tree } from '../store/store.ts'
import { tones } from '../store/tree-view.ts'
import { changeWallView, wallView } from '../store/wall-view.ts'
import { Wall } from '../wall/wall.ts'
import { wallGroups, wallRows } from '../wall/wall-order.ts'
import { LeaseBanner } from './lease-banner.tsx'
import { TerminalScreen } from './terminal-screen.tsx'
import { useLease, useLeaseKey } from './use-lease.ts'

/** All terminals live on one page, those that need a person first. One can be opened next to them to type into. */
export function WallRoom({ terminalId }: { readonly terminalId: string | null }) {
  const [wall, setWall] = useState<Wall | null>(null)
  const withEnded = useSignal(false)
  const tone = useSignal<Tone | null>(null)
  const shown = useComputed(() => {
    const asking = new Set(needs.value.flatMap(({ terminalId: id }) => (id === null ? [] : [id])))
    return wallRows(tree.value, { asking, tone: tone.value, withEnded: withEnded.value, now: now.value })
  })
  const { isWhole, isGrouped } = wallView.value
  const groups = isGrouped ? wallGroups(tree.value, shown.value, entryName) : [{ id: '', label: '', rows: shown.value }]
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const made = new Wall()
    setWall(made)
    return () => made.close()
  }, [])
  useEffect(() => wall?.showWhole(isWhole), [wall, isWhole])
  const chosen = rows.value?.find((row) => row.terminalId === terminalId) ?? null
  return (
    <main class={chosen === null ? 'room wall-room' : 'room wall-room split'} aria-labelledby="wall-title">
      <section class="wall">
        <header class="bar">
          <h1 id="wall-title" ref={title} tabIndex={-1}>
            Wall
          </h1>
          <span class="count">{shown.value.length === 1 ? '1 terminal' : `${shown.value.length} terminals`}</span>
          <div class="filters">
            <select
              aria-label="State"
              value={tone.value ?? ''}
              onChange={({ currentTarget: { value } }) => {
                tone.value = tones.find(([one]) => one === value)?.[0] ?? null
              }}
            >
              <option value="">any state</option>
              {tones.map(([one, words]) => (
                <option key={one} value={one}>
                  {words}
                </option>
              ))}
            </select>
            <Check label="Group by agent" isOn={isGrouped} change={(isOn) => changeWallView({ isGrouped: isOn })} />
            <Check label="Whole screens" isOn={isWhole} change={(isOn) => changeWallView({ isWhole: isOn })} />
            <Check label="Include ended" isOn={withEnded.value} change={(isOn) => (withEnded.value = isOn)} />
          </div>
        </header>
        {rows.value !== null && shown.value.length === 0 && (
          <p class="nothing">{tone.value === null ? 'No terminals are open.' : 'No terminal has this state.'}</p>
        )}
        {groups.map(({ id, label, rows: grouped }) => (
          <section key={id}>
            {groups.length > 1 && <h2 class="tiles-title">{label}</h2>}
            <ul class="tiles" style={{ '--tile': `${tileWidth(shown.value.length)}px` }}>
              {wall !== null &&
                grouped.map((row) => (
                  <WallTile key={row.terminalId} row={row} wall={wall} isChosen={row.terminalId === terminalId} />
                ))}
            </ul>
          </section>
        ))}
      </section>
      {chosen !== null && <ChosenTerminal row={chosen} onLeave={() => title.current?.focus()} />}
    </main>
  )
}

interface CheckProps {
  readonly label: string
  readonly isOn: boolean
  readonly change: (isOn: boolean) => void
}

function Check({ label, isOn, change }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={isOn} onChange={({ currentTarget }) => change(currentTarget.checked)} />
      {label}
    </label>
  )
}

/** The chosen terminal, to type into. */
function ChosenTerminal({ row, onLeave }: { readonly row: Row; readonly onLeave: () => void }) {
  const { terminalId } = row
  const lease = useLease(terminalId)
  useLeaseKey(lease)
  return (
    <section class="focus" aria-label={nameOf(row)}>
      <header class="bar">
        <h2>{nameOf(row)}</h2>
        <State row={row} />
        <a class="button beside-link" href={pathOf({ room: 'terminal', terminalId })}>
          Open
        </a>
        <button type="button" onClick={() => go({ room: 'wall', terminalId: null })}>
          Close
        </button>
      </header>
      <LeaseBanner terminalId={terminalId} lease={lease} onDone={() => view.value?.focus()} />
      <TerminalScreen terminalId={terminalId} lease={lease} onLeave={onLeave} />
    </section>
  )
}

/** Fewer terminals get larger tiles. */
function tileWidth(count: number): number {
  if (count <= 6) return 420
  if (count <= 20) return 300
  return count <= 48 ? 240 : 200
}

interface WallTileProps {
  readonly row: Row
  readonly wall: Wall
  readonly isChosen: boolean
}

/** Renders only on a change of its own, because there may be a thousand tiles. */
function WallTile({ row, wall, isChosen }: WallTileProps) {
  const [isNear, setNear] = useState(false)
  const tile = useRef<HTMLLIElement>(null)
  useEffect(() => (tile.current === null ? undefined : wall.whenNear(tile.current, setNear)), [wall])
  return useMemo(() => {
    const to = { room: 'wall', terminalId: row.terminalId } as const
    return (
      <li class="tile" ref={tile}>
        <a
          href={pathOf(to)}
          aria-current={isChosen ? 'true' : undefined}
          onClick={(event) => {
            event.preventDefault()
            go(to)
          }}
        >
          <span class="tile-screen">{isNear && <TileScreen row={row} wall={wall} />}</span>
          <span class="tile-foot">
            <span class="name">{nameOf(row)}</span>
            <Holder row={row} />
            <State row={row} />
          </span>
        </a>
      </li>
    )
  }, [row, wall, isChosen, isNear])
}

function TileScreen({ row, wall }: { readonly row: Row; readonly wall: Wall }) {
  const { terminalId, size } = row
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    wall.add({ terminalId, ...size }, element)
    return () => wall.remove(element)
  }, [wall, terminalId])
  return <canvas ref={canvas} role="img" aria-label={`${nameOf(row)}: ${rowWords(row)}`} />
}
