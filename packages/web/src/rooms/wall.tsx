import { useComputed, useSignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import { State } from '../parts/state.tsx'
import { stateWords, type TreeRow } from '../store/overview.ts'
import { go, pathOf } from '../store/route.ts'
import { rows, tree } from '../store/store.ts'
import { Wall } from '../wall/wall.ts'
import { TerminalScreen } from './terminal-screen.tsx'

/** All terminals at once, as they are now; one of them beside the others to type into. */
export function WallRoom({ terminalId }: { readonly terminalId: string | null }) {
  const [wall, setWall] = useState<Wall | null>(null)
  const withEnded = useSignal(false)
  const shown = useComputed(() => tree.value.filter(({ state }) => withEnded.value || state !== 'exited'))
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
          <span class="count">{shown.value.length} terminals</span>
          <label class="check">
            <input
              type="checkbox"
              checked={withEnded.value}
              onChange={(event) => {
                withEnded.value = event.currentTarget.checked
              }}
            />
            Ended ones, too
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
      {chosen !== null && (
        <section class="focus" aria-label={chosen.name ?? chosen.terminalId}>
          <header class="bar">
            <h2>{chosen.name ?? chosen.terminalId}</h2>
            <State row={chosen} />
            <a class="button beside-link" href={pathOf({ room: 'terminal', terminalId: chosen.terminalId })}>
              Open
            </a>
            <button type="button" onClick={() => go({ room: 'wall', terminalId: null })}>
              Close
            </button>
          </header>
          <TerminalScreen terminalId={chosen.terminalId} onLeave={() => title.current?.focus()} />
        </section>
      )}
    </main>
  )
}

/** Few are shown larger. */
function tileWidth(count: number): number {
  if (count <= 6) return 420
  if (count <= 20) return 280
  return count <= 48 ? 200 : 150
}

interface WallTileProps {
  readonly row: TreeRow
  readonly wall: Wall
  readonly isChosen: boolean
}

function WallTile({ row, wall, isChosen }: WallTileProps) {
  const { terminalId, name } = row
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (element === null) return undefined
    wall.add(terminalId, element)
    return () => wall.remove(element)
  }, [wall, terminalId])
  const to = { room: 'wall', terminalId } as const
  return (
    <li class="tile">
      <a
        href={pathOf(to)}
        aria-current={isChosen ? 'true' : undefined}
        onClick={(event) => {
          event.preventDefault()
          go(to)
        }}
      >
        <canvas ref={canvas} role="img" aria-label={`${name ?? terminalId}: ${stateWords(row)}`} />
        <span class="tile-foot">
          <span class="name">{name ?? terminalId}</span>
          <State row={row} />
        </span>
      </a>
    </li>
  )
}
