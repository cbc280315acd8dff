/** Programs that are not written for a shell like bash, within one evaluation. */

import { reportCode } from './code-text.ts'
import { CommandPrompt } from './command-prompt/command-prompt.ts'
import type { PowerShellHost } from './power-shell/host.ts'
import { PowerShell } from './power-shell/power-shell.ts'
import { type Arg, nothing, type Stream, unknownStream } from './value.ts'

interface Host extends PowerShellHost {
  /** Counts a program's text; false when it is too long. */
  readonly isWithin: (text: string) => boolean
}

export class OtherShells {
  readonly #host: Host
  #powerShell: PowerShell | null = null

  constructor(host: Host) {
    this.#host = host
  }

  runPowerShell(code: Arg, stdin: Stream = nothing): Stream {
    return this.#within(code, () => this.#ownPowerShell().runText(code.text, stdin))
  }

  runPowerShellWords(words: readonly Arg[], stdin: Stream): Stream {
    return this.#ownPowerShell().runWords(words, stdin)
  }

  runCommandPrompt(code: Arg, stdin: Stream = nothing): Stream {
    return this.#within(code, () => new CommandPrompt(this.#host).runText(code.text, stdin))
  }

  #within(code: Arg, run: () => Stream): Stream {
    const host = this.#host
    if (!reportCode(code, host)) return unknownStream(code.taint)
    return host.isWithin(code.text) ? host.deeper(run, unknownStream()) : unknownStream()
  }

  #ownPowerShell(): PowerShell {
    this.#powerShell ??= new PowerShell(this.#host)
    return this.#powerShell
  }
}
