import { isTermError } from '@agentpty/protocol'
import { errorInWordsOf } from '@agentpty/protocol/call'

/** What the library throws names its own methods. */
export function inLibraryWords<Result>(calling: Promise<Result>): Promise<Result> {
  return calling.catch((error: unknown) => {
    throw isTermError(error) ? errorInWordsOf('library', error) : error
  })
}
