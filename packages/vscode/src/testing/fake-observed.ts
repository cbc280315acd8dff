/** A terminal of the editor whose shell reports its commands, as extensions receive it. */

import { editor } from './vscode.ts'

export class FakeExecution {
  readonly commandLine: { readonly value: string }
  readonly #parts: string[] = []
  #isOver = false
  #wake: () => void = () => {}

  constructor(line: string) {
    this.commandLine = { value: line }
  }

  prints(text: string): void {
    this.#parts.push(text)
    this.#wake()
  }

  end(): void {
    this.#isOver = true
    this.#wake()
  }

  async *read(): AsyncGenerator<string, void> {
    for (;;) {
      for (let part = this.#parts.shift(); part !== undefined; part = this.#parts.shift()) yield part
      if (this.#isOver) return
      await new Promise<void>((wake) => {
        this.#wake = wake
      })
    }
  }
}

export class FakeEditorTerminal {
  name: string
  readonly creationOptions: object
  readonly processId: Promise<number | undefined>
  readonly ran: FakeExecution[] = []
  shellIntegration:
    | { readonly cwd?: { readonly fsPath: string }; executeCommand(line: string): FakeExecution }
    | undefined

  constructor(name: string, { pid, cwd, tells = true }: { pid?: number; cwd?: string; tells?: boolean } = {}) {
    this.name = name
    this.creationOptions = {}
    this.processId = Promise.resolve(pid)
    if (!tells) return
    this.shellIntegration = {
      ...(cwd === undefined ? {} : { cwd: { fsPath: cwd } }),
      executeCommand: (line) => {
        const execution = new FakeExecution(line)
        this.ran.push(execution)
        return execution
      },
    }
  }

  /** Starts a command, as a person would; returns a function that ends it. */
  begins(line: string, execution = new FakeExecution(line)): (exitCode?: number) => void {
    editor.events.commandStarted.fire({ terminal: this, execution })
    return (exitCode) => {
      execution.end()
      editor.events.commandEnded.fire({ terminal: this, execution, exitCode })
    }
  }
}
