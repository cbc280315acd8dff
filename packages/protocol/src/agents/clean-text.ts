/**
 * The text of a screen without lines that only draw frames, without control characters, and with at most two blank lines in a
 * row.
 *
 * @example cleanText('╭──╮\n│hi│\n╰──╯') // '│hi│'
 */
export function cleanText(text: string): string {
  return text
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f]/g, '')
    .split('\n')
    .filter((line) => !/^[\s\u2500-\u259F+\-|=]*[\u2500-\u259F+\-|=][\s\u2500-\u259F+\-|=]*$/.test(line))
    .join('\n')
    .replaceAll(/\n(?:[ \t]*\n){3,}/g, '\n\n\n')
    .trimEnd()
}
