/**
 * Plays a recording that stands in the page itself. Space or a click pauses, the arrow keys go 5 s back and forth, n and p to the next and the
 * last marker, + and - change the speed.
 */

/** As `PlayedPage` of the export. */
interface Recording {
  readonly width: number
  readonly height: number
  readonly rowHeight: number
  readonly padding: number
  readonly fontSize: number
  readonly fontFamily: string
  readonly background: string
  readonly foreground: string
  readonly rows: readonly string[]
  readonly moments: readonly (readonly number[])[]
  readonly markers: readonly (readonly [number, string])[]
  readonly lengthMs: number
}

const seekMs = 5_000
const byId = <Element extends HTMLElement>(id: string) => document.getElementById(id) as Element

const recording: Recording = JSON.parse(byId('recording').textContent)
const screen = document.querySelector('svg') as SVGSVGElement
const [play, seek, time] = [byId<HTMLButtonElement>('play'), byId<HTMLInputElement>('seek'), byId('time')]
const [speed, label] = [byId<HTMLSelectElement>('speed'), byId('label')]

const rows = drawFrame()
/** Of the next moment that is not shown. */
let next = 0
let at = 0
let isPlaying = false
let tickedAt = 0

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
function showAt(ms: number): void {
  at = Math.max(0, Math.min(ms, recording.lengthMs))
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
  time.textContent = `${clock(at)} / ${clock(recording.lengthMs)}`
  label.textContent = recording.markers.findLast(([begin]) => begin <= at)?.[1] ?? ''
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

function setPlaying(plays: boolean): void {
  isPlaying = plays
  play.textContent = plays ? 'Pause' : 'Play'
  play.setAttribute('aria-label', play.textContent)
  if (!plays) return
  if (at >= recording.lengthMs) showAt(0)
  tickedAt = performance.now()
  requestAnimationFrame(tick)
}

function tick(now: number): void {
  if (!isPlaying) return
  showAt(at + (now - tickedAt) * Number(speed.value))
  tickedAt = now
  if (at >= recording.lengthMs) setPlaying(false)
  else requestAnimationFrame(tick)
}

function changeSpeed(step: number): void {
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + step))
}

const toMarker = (isNext: boolean) => {
  const times = recording.markers.map(([begin]) => begin)
  const found = isNext ? times.find((begin) => begin > at) : times.findLast((begin) => begin < at - 500)
  showAt(found ?? (isNext ? recording.lengthMs : 0))
}

const keys: Readonly<Record<string, () => void>> = {
  ' ': () => setPlaying(!isPlaying),
  ArrowLeft: () => showAt(at - seekMs),
  ArrowRight: () => showAt(at + seekMs),
  Home: () => showAt(0),
  End: () => showAt(recording.lengthMs),
  n: () => toMarker(true),
  p: () => toMarker(false),
  '+': () => changeSpeed(1),
  '-': () => changeSpeed(-1),
}

document.addEventListener('keydown', (event) => {
  const act = event.ctrlKey || event.metaKey || event.altKey ? undefined : keys[event.key]
  if (act === undefined) return
  event.preventDefault()
  act()
})
for (const element of [play, screen]) element.addEventListener('click', () => setPlaying(!isPlaying))
seek.max = String(recording.lengthMs)
seek.addEventListener('input', () => showAt(Number(seek.value)))
for (const [begin, text] of recording.markers) {
  const mark = document.createElement('i')
  mark.style.left = `${(begin / Math.max(1, recording.lengthMs)) * 100}%`
  mark.title = text
  byId('marks').append(mark)
}
showAt(0)
setPlaying(true)
