import { nameOf } from '@agentpty/protocol/overview'
import { useEffect, useMemo } from 'preact/hooks'
import { State } from '../parts/state.tsx'
import { loadRecording } from '../replay/load-recording.ts'
import { Timeline } from '../replay/timeline.ts'
import { pathOf } from '../store/route.ts'
import { client, focused, sayError } from '../store/store.ts'
import { Playback, useRecording } from './playback.tsx'

/** The replay of a terminal, with its timeline. */
export function ReplayRoom({ terminalId }: { readonly terminalId: string }) {
  const recording = useRecording(terminalId, loadRecording)
  const timeline = useTimeline(terminalId)
  const row = focused.value
  const path = pathOf({ room: 'terminal', terminalId })
  return (
    <Playback
      recording={recording}
      fileName={terminalId}
      back={{ path, label: 'Back to the terminal' }}
      head={
        <>
          <h1 id="replay-title">{row === null ? terminalId : nameOf(row)}</h1>
          {row !== null && <State row={row} />}
          <span class="title">Replay</span>
        </>
      }
      actions={
        <a class="button main" href={path} aria-keyshortcuts="r">
          Live
        </a>
      }
      timeline={timeline}
      onOlder={() => void loadTimeline(timeline, terminalId, new AbortController().signal)}
    />
  )
}

function useTimeline(terminalId: string): Timeline {
  const timeline = useMemo(() => new Timeline(), [terminalId])
  const open = client.value
  useEffect(() => {
    if (open === null || timeline.startedAt.peek() !== null) return
    const over = new AbortController()
    void loadTimeline(timeline, terminalId, over.signal)
    return () => over.abort()
  }, [open, timeline])
  return timeline
}

async function loadTimeline(timeline: Timeline, terminalId: string, signal: AbortSignal): Promise<void> {
  const open = client.peek()
  if (open === null) return
  try {
    await timeline.load(open, terminalId, signal)
  } catch (error) {
    if (!signal.aborted) sayError(error)
  }
}
