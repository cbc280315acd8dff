/**
 * Judges a line of cmd: what it deletes, writes, fetches and starts is told to the evaluation that all shells share. What stands for
 * something else until it runs (`%x:~0,1%`, `!x!`, a variable that nobody knows) is asked about where it decides.
 */

import { isWindows, plainWord, ranBefore, readPath, writePath } from '../places/windows-paths.ts'
import { isProgram } from '../power-shell/command-names.ts'
import type { PowerShellHost } from '../power-shell/host.ts'
import { environment } from '../power-shell/variables.ts'
import { runWindowsProgram } from '../programs/windows-programs.ts'
import { windowsPrograms } from '../programs/windows-programs-table.ts'
import { type Arg, arg, isKnown, nothing, type Stream, unknownMark, unknownStream } from '../walk/value.ts'
import { type PromptCall, promptCommands } from './commands.ts'
import { forLoop } from './for-loop.ts'
import { conditionLength, type PromptCommand, type PromptWord, readCommands } from './read-commands.ts'

const alternativesMax = 8 // values of a loop's variable that are looked at one by one

type Loops = ReadonlyMap<string, readonly Arg[]>

export class CommandPrompt {
  readonly host: PowerShellHost
  /** Variables of the loops of a text, by their letter. */
  readonly #loops: Map<string, readonly Arg[]>

  constructor(host: PowerShellHost, loops = new Map<string, readonly Arg[]>()) {
    this.host = host
    this.#loops = loops
  }

  runText(text: string, stdin: Stream = nothing): Stream {
    const { host } = this
    if (isEndless(text)) host.report('D2', 'fork-bomb')
    const commands = readCommands(this.#expanded(text))
    if (commands === null) {
      host.report('Q2', 'unparsed', text.slice(0, 200))
      return unknownStream()
    }
    let [stream, output] = [stdin, nothing]
    for (const command of commands) {
      if (!host.mayGoOn()) break
      const given = stream
      output = host.deeper((inner) => this.#on(inner).#runCommand(command, given), unknownStream())
      stream = command.isPiped ? output : stdin
    }
    return output
  }

  #on(host: PowerShellHost): CommandPrompt {
    return new CommandPrompt(host, this.#loops)
  }

  /** `%NAME%` as it is before the line runs. */
  #expanded(text: string): string {
    const { state } = this.host
    return text
      .replace(/%([A-Za-z_][\w.()-]*)(:[^%\n]*)?%/g, (_, name: string, change?: string) =>
        change === undefined ? environment(name, state).text : unknownMark,
      )
      .replace(/!([A-Za-z_]\w*)(:[^!\n]*)?!/g, unknownMark)
  }

  #runCommand({ words, rest, outputs, input }: PromptCommand, stdin: Stream): Stream {
    const { host } = this
    const given = input === null ? stdin : readPath(arg(input), host)
    const output = this.#runWords(words, rest, given)
    for (const path of outputs) if (!/^nul$/i.test(path)) writePath(arg(path), output, host)
    return outputs.length > 0 ? nothing : output
  }

  /** Behind conditions and loops stands the command itself. */
  #runWords(words: readonly PromptWord[], rest: string, stdin: Stream): Stream {
    for (let from = 0; from < words.length && this.host.mayGoOn(); ) {
      const first = words[from]
      const name = first?.text.replace(/^@+/, '').toLowerCase() ?? ''
      if (first === undefined || name.startsWith(':') || name === 'rem') return nothing
      if (name === '' || name === 'else' || name === 'do') from += 1
      else if (name === 'if') from += conditionLength(words, from)
      else if (name === 'for') from += this.#beginLoop(words.slice(from))
      else {
        const plain = { ...first, text: first.text.replace(/^@+/, '') }
        return this.#forEach([plain, ...words.slice(from + 1)], this.#loops, (each) => this.#run(each, rest, stdin))
      }
    }
    return nothing
  }

  /** How many words stand before what is done in it. */
  #beginLoop(words: readonly PromptWord[]): number {
    const loop = forLoop(words, this.host)
    this.#loops.set(loop.letter, loop.values)
    if (loop.source !== null) this.host.runCommandPrompt(loop.source)
    return words.length - loop.body.length
  }

  /** Once for each value of the loop's variables that stand in it. */
  #forEach(words: readonly PromptWord[], loops: Loops, run: (words: readonly Arg[]) => Stream): Stream {
    const named = [...loops].find(([letter]) => words.some(({ text }) => variableOf(letter).test(text)))
    if (named === undefined) return run(words.map(({ text }) => arg(text)))
    const [letter, values] = named
    const seen = values.length > alternativesMax ? [arg(unknownMark)] : values
    const others = new Map([...loops].filter(([other]) => other !== letter))
    let output: Stream = nothing
    for (const value of seen) {
      const filled = words.map((word) => ({
        ...word,
        text: word.text.replace(variableOf(letter, 'g'), () => value.text),
      }))
      output = this.#forEach(filled, others, run)
    }
    return output
  }

  #run(words: readonly Arg[], rest: string, stdin: Stream): Stream {
    return this.host.runAs(words, (inner) => this.#on(inner).#resolved(words, rest, stdin))
  }

  #resolved([word, ...given]: readonly Arg[], rest: string, stdin: Stream): Stream {
    const { host } = this
    if (word === undefined) return nothing
    if (!isKnown(word)) {
      host.report('Q2', 'unresolved')
      return unknownStream()
    }
    const { name, attached } = split(word.text)
    const args = attached === '' ? given : [arg(attached), ...given]
    const call: PromptCall = { name, args, rest: attached === '' ? rest : `${attached}${rest}`, stdin }
    const command = Object.hasOwn(promptCommands, name) ? promptCommands[name] : undefined
    if (command !== undefined) return command(call, host)
    if (Object.hasOwn(windowsPrograms, name)) return runWindowsProgram(name, args, stdin, host)
    if (/^(powershell|pwsh)$/.test(name)) return host.runPowerShellWords([arg(name), ...args], stdin)
    if (isProgram(name)) return host.run([{ ...word, text: name }, ...args.map(plainWord)], stdin)
    return this.#runFile(word, args, stdin)
  }

  /** A script by its name, or what has come about on the way. */
  #runFile(word: Arg, args: readonly Arg[], stdin: Stream): Stream {
    const { host } = this
    const text = word.text.replaceAll('\\', '/')
    const path = isWindows(word.text) ? null : host.resolve(text.includes('/') ? text : `./${text}`)
    const content = path === null ? undefined : host.state.files.get(path)
    if (content !== undefined && /\.(bat|cmd)$/i.test(text)) return host.runCommandPrompt({ ...content, isGlob: false })
    if (path !== null && content !== undefined) return host.run([arg(path), ...args], stdin)
    if (isWindows(word.text)) ranBefore(word, host)
    if (/\.(bat|cmd)$/i.test(word.text) && !word.text.startsWith('\\\\')) return unknownStream(stdin.taint)
    host.report('Q2', 'unresolved')
    return unknownStream(stdin.taint)
  }
}

/** A line that starts itself, or starts something and goes back. */
const isEndless = (text: string) =>
  /%0\s*\|\s*%0/.test(text) || (/(^|[\n&])\s*:\w/.test(text) && /\bstart\b/i.test(text) && /\bgoto\b/i.test(text))

/** `%i`, `%~fi`, `%%i` */
const variableOf = (letter: string, flags = '') => new RegExp(`%%?(?:~[a-z]*)?${letter}(?![\\w])`, flags)

const builtin =
  /^(rd|rmdir|del|erase|dir|copy|xcopy|robocopy|move|ren|rename|type|echo|cd|chdir|md|mkdir|set|call|start|pushd|popd|more|tree|cmd)([./\\:;,[\]+].*)$/i

/** `rd/s/q`, `echo.`, `cd..`, and without what says where the program lies. */
function split(text: string): { readonly name: string; readonly attached: string } {
  const found = builtin.exec(text)
  if (found !== null) return { name: (found[1] ?? '').toLowerCase(), attached: found[2] ?? '' }
  const plain = text.replace(/^.*[\\/](?=[^\\/]+$)/, (folder) =>
    /(windows|program files[^\\/]*|system32)[\\/]/i.test(folder) ? '' : folder,
  )
  return { name: plain.toLowerCase().replace(/\.(exe|com)$/, ''), attached: '' }
}
