/** Types one line, which bash reads whole before running any of it; several lines become a file, sourced once bash found no fault. */

import { readRaw } from '@agentpty/doors/parts'
import type { ServerClient } from '@agentpty/protocol'
import type { WaitFor } from '@agentpty/protocol/call'
import { withoutEscapes } from '@agentpty/protocol/escapes'
import type { RuntimeContainer } from './container.ts'
import { Swerexception } from './contract.ts'

interface Typing {
  /** For what is not typed. */
  readonly file: string
  /** The command may be seen where it is typed. */
  readonly isShown: boolean
}

/** Longer lines are read from a file. */
const typedMax = 2_000

/** Returns the line to type for a command; empty when there is nothing to run. Errors: `BashIncorrectSyntaxError`; nothing has run then. */
export async function typedFor(
  command: string,
  { file, isShown }: Typing,
  container: RuntimeContainer,
): Promise<string> {
  const text = command.trim()
  if (text === '' || /^#.*$/.test(text)) return ''
  // A control character is a key for the line editor.
  if (isShown && text.length <= typedMax && !/\p{Cc}/u.test(text)) return text
  await check(command, container, file)
  return `. ${file}`
}

/** Returns whether bash reports a syntax error, or waits for the rest of a line. */
export const mayBeFault = (output: string): boolean => /syntax error|unexpected (?:EOF|end of file)/.test(output)

/** Checks the syntax with bash, and leaves the command in the file. Errors: `BashIncorrectSyntaxError`. */
export async function check(command: string, container: RuntimeContainer, file: string): Promise<void> {
  // All in one go: each program that is started inside takes longer than all the rest.
  const words = ['/bin/bash', '-c', keepAndCheck, 'bash', file]
  const { exitCode, stderr } = await container.exec(words, { input: Buffer.from(`${command.trim()}\n`) })
  if (exitCode !== 0) throw wrongSyntax(command, exitCode, stderr.toString())
}

/** The folder has this name in every container, and no other program uses it. */
const keepAndCheck = '{ [ -d /run/swerex ] || mkdir /run/swerex; } && cat > "$1" && bash -n "$1"'

export function wrongSyntax(command: string, exitCode: number | null, stderr: string): Swerexception {
  const message = `Error (exit code ${exitCode}) while checking bash command \n${JSON.stringify(command)}\n---- Stderr ----\n${stderr}\n---- Stdout ----\n`
  return new Swerexception('incorrectSyntax', message, { bash_stdout: '', bash_stderr: stderr })
}

type Conditions = Extract<WaitFor, readonly unknown[]>

const isPlain = (text: string): boolean => !/[\\^$.*+?()[\]{}|]/.test(text)

/** Texts that a client expects besides the prompt: regular expressions, as pexpect has them. Most are plain texts. */
export const conditionsFor = (expect: readonly string[]): Conditions =>
  expect.map((one) => (isPlain(one) ? { text: one } : { pattern: one }))

/** Returns the output since `since`, up to the first expected text, whose pattern is `found`; null: none has come. */
export async function outputBefore(
  client: ServerClient,
  terminalId: string,
  { since, expect }: { readonly since: number; readonly expect: readonly string[] },
) {
  const { text } = await readRaw(client, terminalId, since)
  const output = withoutEscapes(text).replaceAll('\r\n', '\n')
  let first: { readonly at: number; readonly one: string } | null = null
  for (const one of expect) {
    const at = isPlain(one)
      ? output.indexOf(one)
      : output.indexOf(await lineOf(client, terminalId, { since, pattern: one }))
    if (at >= 0 && (first === null || at < first.at)) first = { at, one }
  }
  return first === null ? { output, found: null } : { output: output.slice(0, first.at), found: first.one }
}

/** The first line that a pattern matches, by the engine, which bounds how long that takes; a line that there is not, when none. */
async function lineOf(
  client: ServerClient,
  terminalId: string,
  { since, pattern }: { readonly since: number; readonly pattern: string },
): Promise<string> {
  const { output, matches = 0 } = await client.call('read', { terminalId, since, find: pattern })
  const [line = ''] = output.split('\n')
  return matches === 0 ? '\0' : line.replace(/^\d+: /, '')
}
