import { TermError } from '@agentpty/protocol'

export function tooLarge(what: string, bytes: number): TermError {
  return new TermError(
    'limit_reached',
    `The ${what} would be larger than ${bytes} bytes.`,
    'Shorten its rests (--idle 500ms), play it faster (--speed 4), or export html, which is smaller.',
  )
}
