import { errorInWordsOf } from '../../contracts/call/tool-words.ts'
import { isTermError } from '../../contracts/errors.ts'

/** What the library throws names its own methods. */
export function inLibraryWords<Result>(calling: Promise<Result>): Promise<Result> {
  return calling.catch((error: unknown) => {
    throw isTermError(error) ? errorInWordsOf('library', error) : error
  })
}
