import { lasted } from '@agentpty/protocol/recording'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pathOf } from '../store/route.ts'
import { attempt, client, mayChange, rows, wall } from '../store/store.ts'
import { agoWords, dateWords } from '../system-clock.ts'

type RecordingList = VerbOutput<'recordings'>
type SavedRecording = RecordingList['recordings'][number]

/** The recordings on disk, including those of closed terminals. */
export function RecordingsRoom() {
  const listed = useListed()
  const query = useSignal('')
  const all = listed.value?.recordings ?? []
  const shown = all.filter((one) => matches(one, query.value))
  return (
    <main class="room" aria-labelledby="recordings-title">
      <header class="bar">
        <h1 id="recordings-title">Recordings</h1>
        <span class="count">
          {listed.value === null || all.length === 0 ? '' : countOf(shown.length, listed.value)}
        </span>
        {all.length > 0 && <Search query={query} />}
      </header>
      {listed.value !== null && all.length === 0 && <Nothing />}
      <ul class="rows" aria-label="All recordings">
        {shown.map((one) => (
          <RecordingRow key={one.recordingId} recording={one} />
        ))}
      </ul>
      {all.length > 0 && shown.length === 0 && (
        <div class="nothing">
          <p>No recording matches.</p>
          <button type="button" onClick={() => (query.value = '')}>
            Show all
          </button>
        </div>
      )}
    </main>
  )
}

/** The list, loaded again when a terminal opens or closes and at intervals, because files appear late and grow. Null until loaded. */
function useListed(): Signal<RecordingList | null> {
  const listed = useSignal<RecordingList | null>(null)
  const open = client.value
  const terminals = (rows.value ?? []).map(({ terminalId }) => terminalId).join(' ')
  useEffect(() => {
    if (open === null) return
    let isOver = false
    void attempt((client) => client.call('recordings', {})).then((found) => {
      if (!isOver && found !== null) listed.value = found
    })
    return () => {
      isOver = true
    }
  }, [open, terminals, wall.value])
  return listed
}

function Search({ query }: { readonly query: Signal<string> }) {
  return (
    <div class="filters">
      <input
        type="search"
        class="filter"
        placeholder="Name or command"
        aria-label="Find recordings by name or command"
        aria-keyshortcuts="/"
        value={query.value}
        onInput={({ currentTarget: { value } }) => {
          query.value = value
        }}
      />
    </div>
  )
}

/** True if every word occurs in the name, the command or the id. */
function matches({ name, command = '', recordingId }: SavedRecording, query: string): boolean {
  const text = `${name} ${command} ${recordingId}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function countOf(shown: number, { recordings, older = 0 }: RecordingList): string {
  const of = shown === recordings.length ? `${shown}` : `${shown} of ${recordings.length}`
  return older === 0 ? of : `${of}, and ${older} older: agentpty recordings`
}

function RecordingRow({ recording }: { readonly recording: SavedRecording }) {
  const { recordingId, terminalId, name, command = '', startedAt, seconds, bytes, isLive } = recording
  const ended = endOf(recording)
  return (
    <li class="row recording">
      <a href={pathOf({ room: 'recordings', recordingId })}>
        <span class="name">{name}</span>
        <span class="command">{command}</span>
        <span class="when" title={dateWords(startedAt)}>
          {agoWords(startedAt, wall.value)}
        </span>
        <span class="lasted">{lasted(seconds)}</span>
        <span class="size">{sizeWords(bytes)}</span>
        <span class={`state ${ended.tone}`}>
          <span class="shape" aria-hidden="true" />
          {ended.words}
        </span>
      </a>
      {isLive && (
        <a class="button" href={pathOf({ room: 'terminal', terminalId })} aria-label={`${name}: open its terminal`}>
          Terminal
        </a>
      )}
    </li>
  )
}

function endOf({ exit, isLive }: SavedRecording): { readonly tone: string; readonly words: string } {
  if (exit !== undefined) return { tone: exit === 0 ? 'ended' : 'failed', words: `exit ${exit}` }
  return isLive ? { tone: 'working', words: 'still open' } : { tone: 'ended', words: 'end not recorded' }
}

function sizeWords(bytes: number): string {
  if (bytes < 1_024 * 1_024) return `${Math.ceil(bytes / 1_024)} KB`
  return `${(bytes / 1_024 / 1_024).toFixed(1)} MB`
}

function Nothing() {
  return (
    <div class="nothing">
      <p>{mayChange.value ? 'Nothing is recorded yet.' : 'You have access to no recordings.'}</p>
      {mayChange.value && (
        <p class="quiet">
          Record one terminal with <code>agentpty new --record</code>, or all of them with <code>recording: on</code> in
          config.yaml.
        </p>
      )}
    </div>
  )
}
