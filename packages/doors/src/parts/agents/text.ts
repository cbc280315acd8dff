/** Texts as termtile makes them: the new lines of a screen, filled templates, durations. */

/**
 * The lines that a later reading of a screen has and the earlier one has not; all of them when they have nothing in
 * common. The last line of the earlier one may have grown since.
 *
 * @example newLines(['a', '$'], ['a', '$ ls', 'b', '$']) // ['$ ls', 'b', '$']
 */
export function newLines(earlier: readonly string[], later: readonly string[]): readonly string[] {
  const whole = overlap(earlier, later)
  if (whole > 0) return later.slice(whole)
  return later.slice(overlap(earlier.slice(0, -1), later))
}

/** How many lines at the end of the one are the beginning of the other. */
function overlap(ending: readonly string[], beginning: readonly string[]): number {
  for (let count = Math.min(ending.length, beginning.length); count > 0; count--)
    if (ending.slice(-count).every((line, at) => line === beginning[at])) return count
  return 0
}

/**
 * Replaces each `{{NAME.output}}` of a task by what is said of the name; undefined leaves it as it stands. In one pass: what is put in is
 * not looked through again.
 */
export function fillTemplates(task: string, outputOf: (name: string) => string | undefined): string {
  return task.replaceAll(/\{\{\s*([\w.-]+)\.output\s*\}\}/g, (written, name: string) => outputOf(name) ?? written)
}

/** A duration as termtile writes it: `5m0s`. */
export function durationText(seconds: number): string {
  const hours = Math.floor(seconds / 3_600)
  const minutes = Math.floor(seconds / 60) % 60
  const rest = seconds % 60
  if (hours > 0) return `${hours}h${minutes}m${rest}s`
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`
}
