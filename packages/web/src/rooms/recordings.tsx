import { lasted } from '@agentpty/protocol/recording'
import type { VerbOutput } from '@agentpty/protocol/verbs'
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { pathOf } from '../store/route.ts'
import { attempt, client, mayChange, rows, wall } from '../store/store.ts'
import { agoWords, dateWords } from '../system-clock.ts'

type Listed = VerbOutput<'recordings'>
type KeptRecording = Listed['recordings'][number]

/** What was recorded on the disk, also of terminals that are gone. */
export function RecordingsRoom() {
  const listed = useListed()
  const wanted = useSignal('')
  const all = listed.value?.recordings ?? []
  const shown = all.filter((one) => isLike(one, wanted.value))
  return (
    <main class="room" aria-labelledby="recordings-title">
      <header class="bar">
        <h1 id="recordings-title">Recordings</h1>
        <span class="count">
          {listed.value === null || all.length === 0 ? '' : countOf(shown.length, listed.value)}
        </span>
        {all.length > 0 && <Search wanted={wanted} />}
      </header>
      {listed.value !== null && all.length === 0 && <Nothing />}
      <ul class="rows" aria-label="All recordings">
        {shown.map((one) => (
          <RecordingRow key={one.recordingId} recording={one} />
        ))}
      </ul>
      {all.length > 0 && shown.length === 0 && (
        <div class="nothing">
          <p>No recording is like that.</p>
          <button type="button" onClick={() => (wanted.value = '')}>
            Show all
          </button>
        </div>
      )}
    </main>
  )
}

/** Asked for again when a terminal comes or goes, and now and then: its file is written a moment later, and grows. Null until it is known. */
function useListed(): Signal<Listed | null> {
  const listed = useSignal<Listed | null>(null)
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

function Search({ wanted }: { readonly wanted: Signal<string> }) {
  return (
    <div class="filters">
      <input
        type="search"
        class="filter"
        placeholder="Name or command"
        aria-label="Find recordings by name or command"
        aria-keyshortcuts="/"
        value={wanted.value}
        onInput={({ currentTarget: { value } }) => {
          wanted.value = value
        }}
      />
    </div>
  )
}

/** Each word of it stands somewhere. */
function isLike({ name, command = '', recordingId }: KeptRecording, wanted: string): boolean {
  const text = `${name} ${command} ${recordingId}`.toLowerCase()
  return wanted
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function countOf(shown: number, { recordings, older = 0 }: Listed): string {
  const of = shown === recordings.length ? `${shown}` : `${shown} of ${recordings.length}`
  return older === 0 ? of : `${of}, and ${older} older: agentpty recordings`
}

function RecordingRow({ recording }: { readonly recording: KeptRecording }) {
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

function endOf({ exit, isLive }: KeptRecording): { readonly tone: string; readonly words: string } {
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
      <p>{mayChange.value ? 'Nothing is recorded yet.' : 'There is no recording that you may look at.'}</p>
      {mayChange.value && (
        <p class="quiet">
          Record one terminal by <code>agentpty new --record</code>, or all of them by <code>recording: on</code> in
          config.yaml.
        </p>
      )}
    </div>
  )
}
