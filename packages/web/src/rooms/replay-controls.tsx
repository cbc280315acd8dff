import { lasted, playSpeeds } from '@agentpty/protocol/recording'
import type { TargetedKeyboardEvent } from 'preact'
import { Icon } from '../parts/icons.tsx'
import type { Player } from '../replay/player.ts'

/** The buttons to play, pause and seek. Each has a key as well. */
export function ReplayControls({ player }: { readonly player: Player }) {
  const isPlaying = player.isPlaying.value
  return (
    <div class="controls" role="toolbar" aria-label="Player">
      <button
        type="button"
        class="plain play"
        aria-keyshortcuts="Space"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={() => player.toggle()}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <button
        type="button"
        class="plain"
        aria-keyshortcuts="p"
        aria-label="Previous command"
        title="Previous command (p)"
        onClick={() => player.previousCommand()}
      >
        <Icon name="previous" />
      </button>
      <button
        type="button"
        class="plain"
        aria-keyshortcuts="n"
        aria-label="Next command"
        title="Next command (n)"
        onClick={() => player.nextCommand()}
      >
        <Icon name="next" />
      </button>
      <SeekBar player={player} />
      <select
        aria-label="Speed"
        value={String(player.speed.value)}
        onChange={({ currentTarget: { value } }) => player.setSpeed(Number(value))}
      >
        {playSpeeds.map((speed) => (
          <option key={speed} value={String(speed)}>
            {speed}×
          </option>
        ))}
      </select>
      <label class="check" title="Shortens pauses of more than 2 s without output">
        <input
          type="checkbox"
          checked={player.skipsRests.value}
          onChange={({ currentTarget: { checked } }) => player.setRests(checked)}
        />
        Shorten pauses
      </label>
    </div>
  )
}

/** More marks would merge into one bar. */
const marksMax = 400

function SeekBar({ player }: { readonly player: Player }) {
  const { beginMs, durationMs, commands } = player.recording
  const at = player.at.value
  const length = Math.max(1, durationMs - beginMs)
  const keyed = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    const { key, ctrlKey, altKey, metaKey } = event
    if (!ctrlKey && !altKey && !metaKey && player.press(key)) event.preventDefault()
  }
  return (
    <div class="seek">
      <div class="track">
        <div class="marks" aria-hidden="true">
          {commands.slice(-marksMax).map(({ at: begin }, index) => (
            <i key={index} style={{ left: `${((begin - beginMs) / length) * 100}%` }} />
          ))}
        </div>
        <input
          type="range"
          aria-label="Time"
          aria-valuetext={`${lasted(at / 1_000)} of ${lasted(durationMs / 1_000)}`}
          min={beginMs}
          max={durationMs}
          step="any"
          value={at}
          onInput={({ currentTarget: { value } }) => player.seek(Number(value))}
          onKeyDown={keyed}
        />
      </div>
      <output>
        {lasted(at / 1_000)} / {lasted(durationMs / 1_000)}
      </output>
    </div>
  )
}
