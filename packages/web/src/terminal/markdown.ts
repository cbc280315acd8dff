/** Text of a terminal as Markdown. */

export interface WrittenCommand {
  /** Its prompt and what was typed. */
  readonly line: string
  /** Null while it runs or if unknown. */
  readonly exitCode: number | null
}

/** Returns a fenced block. Its fence is longer than any run of backticks in the text, so nothing in the text ends it. */
export function fenced(text: string, language = ''): string {
  const runs = [...text.matchAll(/`+/g)].map(([run]) => run.length)
  const fence = '`'.repeat(Math.max(3, ...runs.map((length) => length + 1)))
  return `${fence}${language}\n${text.replace(/\n+$/, '')}\n${fence}\n`
}

/** Returns a command and its output as a block, with the exit code below it if it is not 0. */
export function commandBlock({ line, exitCode }: WrittenCommand, output: string): string {
  const block = fenced([line, output].filter((part) => part !== '').join('\n'), 'console')
  return exitCode === null || exitCode === 0 ? block : `${block}\nExit code ${exitCode}\n`
}
