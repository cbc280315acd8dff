/**
 * Ignores terminal queries in output. The daemon has answered them already, and a program would read a second answer as keys.
 */

import type { IDisposable, IParser } from '@xterm/xterm'

export function withoutAnswers(parser: IParser): readonly IDisposable[] {
  const pass = () => true
  const asksForColour = (data: string) => data.split(';').includes('?')
  return [
    // Queries for type, status, cursor position, modes, size and version.
    ...['', '>', '='].map((prefix) => parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'c' }, pass)),
    ...['', '?'].map((prefix) => parser.registerCsiHandler({ ...(prefix && { prefix }), final: 'n' }, pass)),
    ...['', '?'].map((prefix) =>
      parser.registerCsiHandler({ ...(prefix && { prefix }), intermediates: '$', final: 'p' }, pass),
    ),
    parser.registerCsiHandler({ final: 't' }, pass),
    parser.registerCsiHandler({ prefix: '>', final: 'q' }, pass),
    parser.registerDcsHandler({ intermediates: '$', final: 'q' }, pass),
    parser.registerDcsHandler({ intermediates: '+', final: 'q' }, pass),
    ...[4, 10, 11, 12].map((number) => parser.registerOscHandler(number, asksForColour)),
  ]
}
