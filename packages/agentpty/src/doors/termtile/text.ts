/** Texts as termtile reads and makes them: answers between fences, cleaned screens, templates, cut artifacts. */

const open = '[termtile-response]'
const close = '[/termtile-response]'

/**
 * The last answer between fences; null without a whole one. A line with both fences is an answer only when it ends with the
 * closing one: else somebody repeats the instruction to use them.
 *
 * @example fencedResponse('[termtile-response]\n42\n[/termtile-response]') // '42'
 */
export function fencedResponse(text: string): string | null {
  let last: string | null = null
  let begun: string[] | null = null
  for (const line of text.split('\n')) {
    const [from, to] = [line.indexOf(open), line.indexOf(close)]
    if (from >= 0 && to >= 0) {
      const content = line.slice(from + open.length, to).trim()
      if (from < to && line.trimEnd().endsWith(close) && content !== 'and') last = content
    } else if (from >= 0) begun = [line.slice(from + open.length)]
    else if (to >= 0 && begun !== null) {
      last = [...begun, line.slice(0, to)].join('\n').trim()
      begun = null
    } else begun?.push(line)
  }
  return last
}

/** An answer has ended here that may have begun above. */
export function hasFenceEnd(text: string): boolean {
  return text.split('\n').some((line) => line.includes(close) && !line.includes(open))
}

/** Without lines that only draw frames, without control characters, and with no more than two blank lines in a row. */
export function cleaned(text: string): string {
  return text
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
    .split('\n')
    .filter((line) => !/^[\s\u2500-\u259F+\-|=]*[\u2500-\u259F+\-|=][\s\u2500-\u259F+\-|=]*$/.test(line))
    .join('\n')
    .replaceAll(/\n(?:[ \t]*\n){3,}/g, '\n\n\n')
    .trimEnd()
}

/**
 * What the later of two looks at the same screen has that the earlier had not; all of it when they have nothing in common.
 * The last line of the earlier may have gone on since.
 *
 * @example newLines(['a', '$'], ['a', '$ ls', 'b', '$']) // ['$ ls', 'b', '$']
 */
export function newLines(earlier: readonly string[], later: readonly string[]): readonly string[] {
  const whole = overlap(earlier, later)
  if (whole > 0) return later.slice(whole)
  return later.slice(overlap(earlier.slice(0, -1), later))
}

/** How many lines end the one and begin the other. */
function overlap(ending: readonly string[], beginning: readonly string[]): number {
  for (let count = Math.min(ending.length, beginning.length); count > 0; count--)
    if (ending.slice(-count).every((line, at) => line === beginning[at])) return count
  return 0
}

/** The placeholders of a task, each by its slot's artifact. What is put in is not looked through again. */
export function fillTemplates(task: string, outputs: ReadonlyMap<number, string>): string {
  return task.replaceAll(/\{\{\s*slot_(\d+)\.output\s*\}\}/g, (written, slot) => outputs.get(Number(slot)) ?? written)
}

/** Of one artifact, with the warning that it is cut. */
export const artifactBytesMax = 1 << 20

export interface Artifact {
  readonly output: string
  readonly originalBytes: number
  readonly storedBytes: number
  /** Null when all of it is there. */
  readonly warning: string | null
}

/** Keeps the head of what is too long, and says so at its end. */
export function toArtifact(text: string): Artifact {
  const bytes = Buffer.from(text)
  const originalBytes = bytes.length
  if (originalBytes <= artifactBytesMax)
    return { output: text, originalBytes, storedBytes: originalBytes, warning: null }
  const warning = `artifact truncated from ${originalBytes} bytes to ${artifactBytesMax} bytes`
  const suffix = `\n\n[termtile-warning] ${warning}\n`
  // A character may be cut in the middle: its rest is left out.
  const head = bytes
    .subarray(0, artifactBytesMax - suffix.length)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
  const output = `${head}${suffix}`
  return { output, originalBytes, storedBytes: Buffer.byteLength(output), warning }
}

/** A duration as termtile writes it: `5m0s`. */
export function durationText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  if (hours > 0) return `${hours}h${minutes}m${rest}s`
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`
}
