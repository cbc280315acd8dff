/** What the caller asked for; a string was given to a shell with `-c`. */
export function commandOf(argv: readonly string[]): string {
  const [, flag, line] = argv
  return flag === '-c' && line !== undefined ? line : argv.join(' ')
}
