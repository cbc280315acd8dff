/**
 * Plays a recording that stands in the page itself. Space or a click pauses, the arrow keys go 5 s back and forth, n and p to the next and the
 * last marker, + and - change the speed.
 */

import { lasted, markAfter, markBefore, PlayClock, seekMs } from '@agentpty/protocol/recording'
import type { PlayedPage } from '@agentpty/server/recordings'

const byId = <Element extends HTMLElement>(id: string) => document.getElementById(id) as Element

const recording: PlayedPage = JSON.parse(byId('recording').textContent)
const screen = document.querySelector('svg') as SVGSVGElement
const play = byId<HTMLButtonElement>('play')
const seek = byId<HTMLInputElement>('seek')
const time = byId('time')
const speed = byId<HTMLSelectElement>('speed')
const label = byId('label')

const rows = drawFrame()
/** Index of the next moment that is not shown. */
let next = 0
let frame = 0
const marks = recording.markers.map(([at, text]) => ({ at, text }))
/** Its rests were shortened when it was exported. */
const playedTime = new PlayClock(
  { events: recording.moments.map(([at = 0]) => ({ at })), durationMs: recording.lengthMs },
  { now: () => performance.now() },
  { speed: 1, idleMs: Number.POSITIVE_INFINITY, from: 0 },
)

function drawFrame(): readonly SVGGElement[] {
  const { width, height, background, rowHeight, padding, fontFamily, fontSize } = recording
  screen.setAttribute('viewBox', `0 0 ${width} ${height}`)
  screen.setAttribute('width', String(width))
  screen.setAttribute('font-family', fontFamily)
  screen.setAttribute('font-size', String(fontSize))
  screen.innerHTML = `<path fill="${background}" d="M0 0H${width}V${height}H0z"/>`
  const count = Math.round((height - 2 * padding) / rowHeight)
  return Array.from({ length: count }, (_, y) => {
    const row = document.createElementNS('http://www.w3.org/2000/svg', 'g')
    row.setAttribute('transform', `translate(${padding} ${padding + y * rowHeight})`)
    screen.append(row)
    return row
  })
}

/** Only what is different in the end is drawn. */
function show(): void {
  const { at } = playedTime
  const changed = new Map<number, number>()
  if ((recording.moments[next - 1]?.[0] ?? 0) > at) {
    next = 0
    for (const y of rows.keys()) changed.set(y, 0)
  }
  for (let moment = recording.moments[next]; moment !== undefined && (moment[0] ?? 0) <= at; ) {
    for (let pair = 1; pair < moment.length; pair += 2) changed.set(moment[pair] ?? 0, moment[pair + 1] ?? 0)
    next += 1
    moment = recording.moments[next]
  }
  for (const [y, row] of changed) {
    const element = rows[y]
    if (element !== undefined) element.innerHTML = recording.rows[row] ?? ''
  }
  seek.value = String(Math.round(at))
  time.textContent = `${lasted(at / 1_000)} / ${lasted(recording.lengthMs / 1_000)}`
  label.textContent = marks.findLast((mark) => mark.at <= at)?.text ?? ''
  tellWhetherItPlays()
}

function tellWhetherItPlays(): void {
  const words = playedTime.isPaused ? 'Play' : 'Pause'
  if (play.textContent === words) return
  play.textContent = words
  play.setAttribute('aria-label', words)
}

function showAt(ms: number): void {
  playedTime.seek(ms)
  show()
}

function pauseOrPlay(): void {
  if (playedTime.isPaused) playedTime.resume()
  else playedTime.pause()
  tick()
}

function tick(): void {
  show()
  cancelAnimationFrame(frame)
  if (!playedTime.isPaused) frame = requestAnimationFrame(tick)
}

function changeSpeed(step: number): void {
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + step))
  setSpeed()
}

function setSpeed(): void {
  playedTime.speed = Number(speed.value)
}

const keys: Readonly<Record<string, () => void>> = {
  ' ': pauseOrPlay,
  ArrowLeft: () => showAt(playedTime.at - seekMs),
  ArrowRight: () => showAt(playedTime.at + seekMs),
  Home: () => showAt(0),
  End: () => showAt(recording.lengthMs),
  n: () => showAt(markAfter(marks, playedTime.at)?.at ?? recording.lengthMs),
  p: () => showAt(markBefore(marks, playedTime.at)?.at ?? 0),
  '+': () => changeSpeed(1),
  '-': () => changeSpeed(-1),
}

document.addEventListener('keydown', (event) => {
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
})
for (const element of [play, screen]) element.addEventListener('click', pauseOrPlay)
seek.max = String(recording.lengthMs)
seek.addEventListener('input', () => showAt(Number(seek.value)))
speed.addEventListener('change', setSpeed)
for (const { at, text } of marks) {
  const mark = document.createElement('i')
  mark.style.left = `${(at / Math.max(1, recording.lengthMs)) * 100}%`
  mark.title = text
  byId('marks').append(mark)
}
tick()
