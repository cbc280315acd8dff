/** The terminal in focus: an emulator that draws the daemon's stream. Loaded with the first terminal that is opened. */

import type { Lease } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import { TerminalView, type TerminalViewOptions, type ViewSize } from '@agentpty/terminal-view'
import { findKeyPressed } from '../find/find-keys.ts'
import { hoveredLink } from '../links/link-state.ts'
import { openLink } from '../links/open-link.ts'
import { TerminalLinks } from '../links/terminal-links.ts'
import { ScrollBack } from '../scroll-back/scroll-back.ts'
import { terminalLook } from '../store/terminal-look.ts'
import { systemClock } from '../system-clock.ts'
import { CommandMarks, type MarkedCommand } from './command-marks.ts'
import { EchoOverlay, echoScreenOf } from './echo-overlay.ts'
import { LocalEcho } from './local-echo.ts'
import { TerminalFeed } from './terminal-feed.ts'

export interface LiveTerminalOptions extends TerminalViewOptions {
  readonly terminalId: string
  readonly sized: (size: ViewSize) => void
  readonly leased: (lease: Lease) => void
  /** Called after a click that asks for the output of a command. */
  readonly picked: (command: MarkedCommand) => void
  /** Called with an error of reading older output. */
  readonly failed: (error: unknown) => void
}

export class LiveTerminal extends TerminalView {
  /** The commands of the shell that runs in it. */
  readonly commands: CommandMarks
  readonly links: TerminalLinks
  /** Shows input early if the round trip is slow. */
  readonly echo: LocalEcho
  /** Scrolls through all kept output. */
  readonly scrollBack: ScrollBack
  readonly #terminalId: string
  readonly #feed: TerminalFeed
  readonly #stopLook: () => void

  constructor(options: LiveTerminalOptions) {
    super({
      ...options,
      pressed: (event) => !this.#goesToCommand(event) && !this.#finds(event) && !this.scrollBack.pressed(event),
      typed: (text) => {
        if (this.scrollBack.isOpen) this.scrollBack.toNewest()
        options.typed(text)
      },
    })
    this.#terminalId = options.terminalId
    this.#stopLook = terminalLook.subscribe((look) => this.setLook(look))
    this.commands = new CommandMarks(this.terminal, options.picked)
    this.links = new TerminalLinks(this.terminal, {
      hovered: (link, isLow) => {
        hoveredLink.value = link === null ? null : { link, isLow }
      },
      opened: (link) => openLink(options.terminalId, link),
    })
    const overlay = new EchoOverlay(this.terminal)
    this.echo = new LocalEcho({
      clock: systemClock,
      screen: echoScreenOf(this.terminal),
      draw: (prediction) => overlay.draw(prediction),
    })
    this.terminal.onWriteParsed(() => this.echo.drawn())
    this.terminal.onResize(() => this.echo.moved())
    this.scrollBack = new ScrollBack(this.terminal, options.failed)
    const { sized, leased } = options
    this.#feed = new TerminalFeed(this.terminal, {
      sized,
      leased,
      echoes: (state) => this.echo.update(state),
      beforeWrite: (event) => {
        this.scrollBack.beforeWrite(event)
        this.commands.beforeWrite(event)
      },
      drawn: (snapshot) => this.commands.drawn(snapshot),
    })
  }

  /** Draws until the terminal ends, the signal aborts or the connection closes. Errors: those of `follow`. */
  show(client: WireClient, terminalId: string, signal: AbortSignal): Promise<void> {
    this.echo.reset()
    this.scrollBack.from(client, terminalId)
    return this.#feed.show(client, terminalId, signal)
  }

  override dispose(): void {
    this.#stopLook()
    this.scrollBack.dispose()
    this.echo.dispose()
    super.dispose()
  }

  #finds(event: KeyboardEvent): boolean {
    return findKeyPressed(event, this.#terminalId, this.terminal.buffer.active.type === 'alternate')
  }

  #goesToCommand({ key, ctrlKey, shiftKey, altKey, metaKey, type }: KeyboardEvent): boolean {
    const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
    if (step === 0 || !ctrlKey || !shiftKey || altKey || metaKey) return false
    if (type === 'keydown') this.commands.go(step)
    return true
  }
}
