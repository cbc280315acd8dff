import { nameOf, type Row, rowWords } from '@agentpty/protocol/overview'
import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Holder, State } from '../parts/state.tsx'
import { go, pathOf } from '../store/route.ts'
import { needs, rows, tree } from '../store/store.ts'
import { Wall } from '../wall/wall.ts'
import { LeaseBanner } from './lease-banner.tsx'
import { TerminalScreen, view } from './terminal-screen.tsx'
import { useLease } from './use-lease.ts'

/** All terminals live on one page, those that need a person first. One can be opened next to them to type into. */
export function WallRoom({ terminalId }: { readonly terminalId: string | null }) {
  const [wall, setWall] = useState<Wall | null>(null)
  const withEnded = useSignal(false)
  const shown = useComputed(() => {
    const all = tree.value.flatMap(({ row }) =>
      row !== null && (withEnded.value || row.state !== 'exited') ? [row] : [],
    )
    const asking = new Set(needs.value.map((need) => need.terminalId))
    return [...all.filter((row) => asking.has(row.terminalId)), ...all.filter((row) => !asking.has(row.terminalId))]
  })
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const made = new Wall()
    setWall(made)
    return () => made.close()
  }, [])
  const chosen = rows.value?.find((row) => row.terminalId === terminalId) ?? null
  return (
    <main class={chosen === null ? 'room wall-room' : 'room wall-room split'} aria-labelledby="wall-title">
      <section class="wall">
        <header class="bar">
          <h1 id="wall-title" ref={title} tabIndex={-1}>
            Wall
          </h1>
          <span class="count">{shown.value.length === 1 ? '1 terminal' : `${shown.value.length} terminals`}</span>
          <label class="check">
            <input
              type="checkbox"
              checked={withEnded.value}
              onChange={(event) => {
                withEnded.value = event.currentTarget.checked
              }}
            />
            Include ended
          </label>
        </header>
        {rows.value !== null && shown.value.length === 0 && <p class="nothing">No terminals are open.</p>}
        <ul class="tiles" style={{ '--tile': `${tileWidth(shown.value.length)}px` }}>
          {wall !== null &&
            shown.value.map((row) => (
              <WallTile key={row.terminalId} row={row} wall={wall} isChosen={row.terminalId === terminalId} />
            ))}
        </ul>
      </section>
      {chosen !== null && <ChosenTerminal row={chosen} onLeave={() => title.current?.focus()} />}
    </main>
  )
}

/** The chosen terminal, to type into. */
function ChosenTerminal({ row, onLeave }: { readonly row: Row; readonly onLeave: () => void }) {
  const { terminalId } = row
  const lease = useLease(terminalId)
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
  if (count <= 20) return 280
  return count <= 48 ? 200 : 150
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
