import { nameOf } from '@agentpty/protocol/overview'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { lazy } from '../parts/lazy.tsx'
import { Holder, State } from '../parts/state.tsx'
import { isPhone } from '../phone/is-phone.ts'
import { dragTerminal } from '../split/dragged-terminal.ts'
import { go, pathOf } from '../store/route.ts'
import { view, viewed } from '../store/shown-screens.ts'
import { focused, mayChange, rows, tree } from '../store/store.ts'
import { LeaseBanner } from './lease-banner.tsx'
import { useLease, useLeaseKey } from './use-lease.ts'

const TerminalActions = lazy(async () => (await import('./terminal-actions.tsx')).TerminalActions)
/** The emulator is requested together with the view that it draws in. */
const SplitView = lazy(async () => {
  const [{ SplitView: loaded }] = await Promise.all([
    import('../split/split-view.tsx'),
    import('../terminal/live-terminal.ts'),
  ])
  return loaded
}, WaitingScreen)
const PhoneTerminal = lazy(async () => (await import('./phone/phone-terminal.tsx')).PhoneTerminal)
const PhoneViews = lazy(async () => (await import('./phone/phone-terminal.tsx')).PhoneViews)

/** The terminal in focus, with a list of the others next to it. */
export function TerminalRoom({ terminalId }: { readonly terminalId: string }) {
  const leave = useRef<HTMLHeadingElement>(null)
  const hasShown = useSignal(false)
  const row = focused.value
  useEffect(() => {
    if (row !== null) hasShown.value = true
  }, [row])
  useEffect(() => {
    hasShown.value = false
  }, [terminalId])
  const lease = useLease(terminalId)
  useLeaseKey(lease)
  const focus = () => view.value?.focus()
  if (rows.value !== null && row === null)
    return (
      <main class="room">
        <div class="nothing">
          <p>{hasShown.value ? `${terminalId} was closed.` : `There is no terminal ${terminalId}.`}</p>
          <a class="button" href="#/agents">
            All terminals
          </a>
        </div>
      </main>
    )
  const { size, title } = viewed.value
  return (
    <main class="room terminal-room" aria-labelledby="terminal-title">
      <TerminalList terminalId={terminalId} />
      <section class="focus">
        <header class="bar">
          <a class="back" href="#/agents" aria-label="All terminals">
            ‹
          </a>
          <h1 id="terminal-title" ref={leave} tabIndex={-1}>
            {row === null ? terminalId : nameOf(row)}
          </h1>
          {row !== null && <State row={row} />}
          <span class="title" title={title}>
            {title === '' ? (row?.program ?? '') : title}
          </span>
          {isPhone.value && <PhoneViews />}
          {/* Its dialogs and its fitted size belong to one terminal. */}
          <TerminalActions key={terminalId} row={row} terminalId={terminalId} lease={lease} />
        </header>
        <LeaseBanner terminalId={terminalId} lease={lease} onDone={focus} />
        {isPhone.value ? (
          <PhoneTerminal terminalId={terminalId} row={row} lease={lease} onLeave={() => leave.current?.focus()} />
        ) : (
          <SplitView terminalId={terminalId} onLeave={() => leave.current?.focus()} />
        )}
        <footer class="foot">
          {!mayChange.value && <span>{size === null ? '' : `${size.cols}×${size.rows}`}</span>}
          <span class="folder">{row?.cwd ?? ''}</span>
          <span class="keys">
            {mayChange.value ? (
              <>
                <kbd>Ctrl</kbd>+<kbd>Shift</kbd>+<kbd>Esc</kbd> leaves the terminal
              </>
            ) : (
              'You can watch, but not change anything.'
            )}
          </span>
        </footer>
      </section>
    </main>
  )
}

/** Takes the keys that are pressed before the terminal is loaded, so that they are no shortcuts. They are ignored. */
function WaitingScreen() {
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => element.current?.focus(), [])
  return <div ref={element} class="screen" tabIndex={-1} />
}

/** The list of terminals on wide screens, to switch with one click. */
function TerminalList({ terminalId }: { readonly terminalId: string }) {
  const list = useRef<HTMLElement>(null)
  const isListed = tree.value.some(({ row }) => row?.terminalId === terminalId)
  useEffect(() => {
    if (isListed) list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [terminalId, isListed])
  return (
    <nav ref={list} class="beside" aria-label="Terminals">
      <ul>
        {tree.value.map(({ id, row, node, depth }) => {
          if (row === null)
            return (
              <li key={id} class="group" style={{ '--depth': Math.min(depth, 6) }}>
                <span class="name">{node.label}</span>
              </li>
            )
          const to = { room: 'terminal', terminalId: row.terminalId } as const
          return (
            <li key={row.terminalId} style={{ '--depth': Math.min(depth, 6) }}>
              <a
                href={pathOf(to)}
                aria-current={row.terminalId === terminalId ? 'true' : undefined}
                onDragStart={dragTerminal(row.terminalId)}
                onClick={(event) => {
                  event.preventDefault()
                  go(to)
                }}
              >
                <span class="name">{nameOf(row)}</span>
                <State row={row} />
                <Holder row={row} />
              </a>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
