/** The terminal in focus: an emulator that draws the daemon's stream. Loaded with the first terminal that is opened. */

import type { Lease } from '@agentpty/protocol/session'
import type { WireClient } from '@agentpty/protocol/wire'
import { TerminalView, type TerminalViewOptions, type ViewSize } from '@agentpty/terminal-view'
import { signal } from '@preact/signals'
import { findKeyPressed } from '../find/find-keys.ts'
import { hoveredLink } from '../links/link-state.ts'
import { openLink } from '../links/open-link.ts'
import { TerminalLinks } from '../links/terminal-links.ts'
import type { SelectedText } from '../scroll-back/older-selection.ts'
import { ScrollBack } from '../scroll-back/scroll-back.ts'
import { terminalLook } from '../store/terminal-look.ts'
import { systemClock } from '../system-clock.ts'
import { CommandMarks, type MarkedCommand, rowOf } from './command-marks.ts'
import { EchoOverlay, echoScreenOf } from './echo-overlay.ts'
import { LocalEcho } from './local-echo.ts'
import { TerminalFeed } from './terminal-feed.ts'

export interface LiveTerminalOptions extends TerminalViewOptions {
  readonly terminalId: string
  readonly sized: (size: ViewSize) => void
  readonly leased: (lease: Lease) => void
  /** Called after a click that asks for the output of a command. */
  readonly picked: (command: MarkedCommand, asMarkdown: boolean) => void
  /** Called with the selection that is to be copied; null without one. */
  readonly copied: (selected: SelectedText | null, asMarkdown: boolean) => void
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
  readonly #feed: TerminalFeed
  readonly #options: LiveTerminalOptions
  /** The command whose output is at the top while a person reads older output. */
  readonly heading = signal<MarkedCommand | null>(null)
  #headed: MarkedCommand | null = null
  readonly #stopLook: () => void
  readonly #stopPlace: () => void

  constructor(options: LiveTerminalOptions) {
    super({
      ...options,
      pressed: (event) =>
        !this.#goesToCommand(event) && !this.#finds(event) && !this.#copies(event) && !this.scrollBack.pressed(event),
      typed: (text) => {
        if (this.scrollBack.isOpen) this.scrollBack.toNewest()
        options.typed(text)
      },
    })
    this.#options = options
    this.#stopLook = terminalLook.subscribe((look) => this.setLook(look))
    this.commands = new CommandMarks(this.terminal, (command, { shiftKey }) => options.picked(command, shiftKey))
    this.links = new TerminalLinks(this.terminal, {
      hovered: (link, isLow) => {
        hoveredLink.value = link === null ? null : { terminalId: options.terminalId, link, isLow }
      },
      opened: (link) => openLink(options.terminalId, link),
    })
    const overlay = new EchoOverlay(this.terminal)
    this.echo = new LocalEcho({
      clock: systemClock,
      screen: echoScreenOf(this.terminal),
      draw: (prediction) => overlay.draw(prediction),
    })
    this.terminal.onRender(() => this.#findHeading())
    this.terminal.onWriteParsed(() => this.echo.drawn())
    this.terminal.onResize(() => this.echo.moved())
    this.scrollBack = new ScrollBack(this.terminal, options.failed)
    this.#stopPlace = this.scrollBack.place.subscribe(() => this.#findHeading())
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
    this.#stopPlace()
    this.scrollBack.dispose()
    this.echo.dispose()
    super.dispose()
  }

  #finds(event: KeyboardEvent): boolean {
    return findKeyPressed(event, this.#options.terminalId, this.terminal.buffer.active.type === 'alternate')
  }

  /** Ctrl+Shift+M copies as Markdown. Ctrl+Shift+C copies text above the emulator, whose own selection the view copies. */
  #copies(event: KeyboardEvent): boolean {
    const { code, ctrlKey, shiftKey, altKey, metaKey, type } = event
    const isOlder = this.scrollBack.hasSelection
    const isMarkdown = code === 'KeyM'
    if (!ctrlKey || !shiftKey || altKey || metaKey || !(isMarkdown || (code === 'KeyC' && isOlder))) return false
    if (type !== 'keydown') return true
    event.preventDefault()
    const own = this.terminal.hasSelection() ? { text: this.terminal.getSelection(), isCut: false } : null
    const { copied, failed } = this.#options
    const selection = isOlder ? this.scrollBack.selectedText() : Promise.resolve(own)
    selection.then((selected) => copied(selected, isMarkdown), failed)
    return true
  }

  #goesToCommand({ key, ctrlKey, shiftKey, altKey, metaKey, type }: KeyboardEvent): boolean {
    const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
    if (step === 0 || !ctrlKey || !shiftKey || altKey || metaKey) return false
    if (type === 'keydown') this.goToNeighbour(step)
    return true
  }

  /** Scrolls to the command before or after the visible rows, through all kept output. */
  goToNeighbour(step: -1 | 1): void {
    const { isAbove } = this.scrollBack
    if (!isAbove && this.commands.go(step)) return
    const before = isAbove ? this.scrollBack.offsetOfRow(0) : this.commands.oldestDrawn()
    // A prompt in the first row belongs to the command whose output begins below it.
    const after = isAbove ? this.scrollBack.offsetOfRow(1) : Number.POSITIVE_INFINITY
    const to = this.commands.neighbour(step, { before, after })
    if (to !== null) this.goToCommand(to)
    else if (step > 0) this.scrollBack.toNewest()
  }

  /** Scrolls to the prompt of a command. */
  goToCommand(command: MarkedCommand): void {
    const row = rowOf(command)
    if (row >= 0) {
      this.scrollBack.toNewest()
      this.terminal.scrollToLine(row)
    } else if (command.offset !== null) void this.scrollBack.goTo(command.offset, 1)
  }

  #findHeading(): void {
    const command = this.#commandAtTop()
    if (command === this.#headed) return
    this.#headed = command
    this.heading.value = command
    if (command === null || command.line !== '' || command.offset === null) return
    // The emulator has no row of it.
    void this.scrollBack.lineBefore(command.offset).then((line) => {
      if (this.#headed === command) this.heading.value = { ...command, line }
    })
  }

  #commandAtTop(): MarkedCommand | null {
    if (this.scrollBack.isOpen) return this.commands.containing(this.scrollBack.offsetOfRow(0))
    return this.scrollBack.place.peek()?.isAway === true ? this.commands.atTop() : null
  }
}
