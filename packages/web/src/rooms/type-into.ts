import { isTermError } from '@agentpty/protocol'
import { Typing } from '@agentpty/protocol/wire'
import { isPhone } from '../phone/is-phone.ts'
import { client, say } from '../store/store.ts'
import type { LocalEcho } from '../terminal/local-echo.ts'

/** Types into a terminal and reports input that was not typed. `echo`: the local echo that shows it meanwhile. */
export function typeInto(terminalId: string, echo: () => LocalEcho | null = () => null): (text: string) => void {
  const typing = new Typing({
    terminalId,
    client,
    noted: (note) => say(note),
    refused: (error) => {
      echo()?.refused()
      say(refusalWords(error), true)
    },
    sending: () => echo()?.sending(),
    taken: (text) => echo()?.taken(text),
  })
  return (text) => {
    echo()?.typed(text)
    if (typing.type(text)) return
    echo()?.refused()
    say('That is more than can wait to be typed. Nothing of it was typed.', true)
  }
}

function refusalWords(error: unknown): string {
  if (!isTermError(error)) return String(error)
  if (error.code === 'person_types')
    return `Only agents type here, so your keys were not typed. Take the terminal over first${isPhone.value ? '' : ': Ctrl+Shift+G'}.`
  return `${error.message} ${error.hint}`
}
