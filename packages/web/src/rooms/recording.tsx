import { useMemo } from 'preact/hooks'
import { groupsIn, timelineOf } from '../replay/kept-timeline.ts'
import { loadKept } from '../replay/load-kept.ts'
import { pathOf } from '../store/route.ts'
import { rows } from '../store/store.ts'
import { Playback, useRecording } from './playback.tsx'

/** A recording saved on disk, with a timeline of its markers. */
export function RecordingRoom({ recordingId }: { readonly recordingId: string }) {
  const recording = useRecording(recordingId, loadKept)
  const loaded = recording.loaded.value
  const timeline = useMemo(() => timelineOf(loaded), [loaded])
  const isOpen = rows.value?.some(({ terminalId }) => terminalId === recordingId) === true
  return (
    <Playback
      recording={recording}
      fileName={recordingId}
      back={{ path: pathOf({ room: 'recordings', recordingId: null }), label: 'Back to the recordings' }}
      head={
        <>
          <h1 id="replay-title">{loaded?.title ?? recordingId}</h1>
          <span class="title">Recording</span>
        </>
      }
      actions={
        <>
          <a class="button" href={pathOf({ room: 'recordings', recordingId: null })} aria-keyshortcuts="v">
            All recordings
          </a>
          {isOpen && (
            <a class="button main" href={pathOf({ room: 'terminal', terminalId: recordingId })} aria-keyshortcuts="r">
              Live
            </a>
          )}
        </>
      }
      timeline={timeline}
      offered={groupsIn(timeline.items.value)}
    />
  )
}
