/** Texts as termtile makes them: what is new of a screen, filled templates, durations. */

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

/** A duration as termtile writes it: `5m0s`. */
export function durationText(seconds: number): string {
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  if (hours > 0) return `${hours}h${minutes}m${rest}s`
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`
}
