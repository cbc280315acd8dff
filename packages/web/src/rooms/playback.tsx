/** A recording with its player and timeline: of a live terminal, or saved on disk. */

import { isTermError } from '@agentpty/protocol'
import { firstShownMs } from '@agentpty/protocol/recording'
import { type Signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { type Call, castOf, type LoadedRecording, type LoadOptions } from '../replay/load-recording.ts'
import { Player } from '../replay/player.ts'
import type { RecordedTerminal } from '../replay/recorded-terminal.ts'
import { playing } from '../replay/replay-keys.ts'
import { client } from '../store/store.ts'
import { ReplayControls } from './replay-controls.tsx'
import { TimelineList, type TimelineListProps } from './timeline-list.tsx'

export interface PlaybackProps extends Omit<TimelineListProps, 'player'> {
  readonly recording: Loading
  /** The name of the downloaded file, without its extension. */
  readonly fileName: string
  /** The target of the back link (‹). */
  readonly back: { readonly path: string; readonly label: string }
  /** The header: a heading with the id `replay-title`, and more. */
  readonly head: ComponentChildren
  /** Actions after *Download*. */
  readonly actions: ComponentChildren
}

export function Playback({ recording, fileName, back, head, actions, ...timeline }: PlaybackProps) {
  const screen = useRef<HTMLDivElement>(null)
  const player = usePlayer(screen, recording.loaded)
  const { loaded } = recording
  return (
    <main class="room replay-room" aria-labelledby="replay-title">
      <section class="focus">
        <header class="bar">
          <a class="back" href={back.path} aria-label={back.label}>
            ‹
          </a>
          {head}
          <div class="actions">
            <button type="button" disabled={loaded.value === null} onClick={() => download(fileName, loaded.value)}>
              Download<span class="wide"> recording (.cast)</span>
            </button>
            {actions}
          </div>
        </header>
        <div class="screen replayed">
          <div ref={screen} class="screen-room" />
          <Veil {...recording} />
          {player.value?.isBehind.value === true && (
            <p class="veil" role="status">
              Drawing earlier output
            </p>
          )}
        </div>
        {player.value !== null && <ReplayControls player={player.value} />}
      </section>
      <TimelineList {...timeline} player={player.value} />
    </main>
  )
}

export interface Loading {
  readonly loaded: Signal<LoadedRecording | null>
  readonly share: Signal<number>
  readonly failure: Signal<string | null>
}

function Veil({ loaded, share, failure }: Loading) {
  if (failure.value !== null) return <p class="veil">{failure.value}</p>
  const recording = loaded.value
  if (recording === null)
    return (
      <p class="veil" role="status">
        Loading the recording: {Math.round(share.value * 100)} %
      </p>
    )
  if (recording.events.every(({ code }) => code !== 'o')) return <p class="veil">No output yet.</p>
  return null
}

export type Load = (client: Call, id: string, options: LoadOptions) => Promise<LoadedRecording>

/** Loads the recording once for each id, and again if the connection was lost before it was complete. */
export function useRecording(id: string, load: Load): Loading {
  const loaded = useSignal<LoadedRecording | null>(null)
  const share = useSignal(0)
  const failure = useSignal<string | null>(null)
  const open = client.value
  useEffect(() => {
    loaded.value = null
  }, [id])
  useEffect(() => {
    if (open === null || loaded.value !== null) return
    const over = new AbortController()
    failure.value = null
    share.value = 0
    const progress = (now: number) => (share.value = now)
    load(open, id, { signal: over.signal, progress }).then(
      (recording) => {
        if (!over.signal.aborted) loaded.value = recording
      },
      (error: unknown) => {
        if (!over.signal.aborted) failure.value = isTermError(error) ? `${error.message} ${error.hint}` : String(error)
      },
    )
    return () => over.abort()
  }, [open, id])
  return { loaded, share, failure }
}

function usePlayer(
  screen: { readonly current: HTMLDivElement | null },
  loaded: Signal<LoadedRecording | null>,
): Signal<Player | null> {
  const player = useSignal<Player | null>(null)
  const recording = loaded.value
  useEffect(() => {
    const element = screen.current
    if (element === null || recording === null) return
    let terminal: RecordedTerminal | null = null
    let isOver = false
    void import('../replay/recorded-terminal.ts').then((module) => {
      if (isOver) return
      terminal = new module.RecordedTerminal(element, recording)
      playing.player = player.value = new Player(
        recording,
        terminal,
        Math.max(recording.beginMs, firstShownMs(recording.events)),
      )
    })
    return () => {
      isOver = true
      player.value?.close()
      playing.player = player.value = null
      terminal?.dispose()
    }
  }, [recording])
  return player
}

function download(fileName: string, recording: LoadedRecording | null): void {
  if (recording === null) return
  const url = URL.createObjectURL(new Blob([...castOf(recording)], { type: 'application/x-asciicast' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${fileName}.cast`
  link.click()
  URL.revokeObjectURL(url)
}
