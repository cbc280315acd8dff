/** Prints the demo as a conversation: the agent's calls, their durations, and their results. */
import process from 'node:process'
import type { Arguments, ToolResult } from './agent.ts'

const columns = 100
const indent = '    '
const linesMax = 25
const linesOfHead = 9

const paint = (code: number) => (text: string) => (process.stdout.isTTY ? `\x1b[${code}m${text}\x1b[0m` : text)
const bold = paint(1)
const dim = paint(2)
const red = paint(31)
const green = paint(32)
const cyan = paint(36)

export function printTitle(text: string): void {
  print(bold(text))
}

export function printThought(text: string): void {
  print(`\n${bold(`● ${text}`)}`)
}

export interface Call {
  readonly tool: string
  readonly args: Arguments
  readonly ms: number
  readonly result: ToolResult
}

export function printCall({ tool, args, ms, result }: Call): void {
  const asked = wrap(`${tool} ${JSON.stringify(args)}`, columns - 4)
  print(asked.map((line, index) => `  ${index === 0 ? cyan(tool) + line.slice(tool.length) : line}`).join('\n'))
  for (const line of shorten(result.text)) print(`${dim(`${indent}│`)} ${line}`.trimEnd())
  print(`${indent}${dim(`└ ${[`${ms.toFixed(0)} ms`, verdictOf(result)].filter((part) => part !== '').join(' · ')}`)}`)
}

export function printFailure(step: string, reason: string, screen: string): void {
  print(red(`\nThe step "${step}" failed: ${reason}`))
  if (screen !== '') print(`The screen then:\n${screen}`)
}

export function printSuccess(text: string): void {
  print(green(`\n${text}`))
}

function verdictOf({ state, kind, confidence, exitCode }: ToolResult): string {
  const turn = state === 'ready' ? `ready: ${[kind, confidence].filter(Boolean).join(', ')}` : state
  return [exitCode === null ? '' : `exit code ${exitCode}`, turn].filter((part) => part !== '').join(' · ')
}

/** Long results are cut in the middle, because their news is usually at the ends. */
function shorten(text: string): readonly string[] {
  if (text === '') return []
  const lines = text.split('\n').flatMap((line) => wrap(line, columns - indent.length - 2))
  if (lines.length <= linesMax) return lines
  const tail = lines.slice(lines.length - (linesMax - linesOfHead - 1))
  const omitted = lines.length - linesOfHead - tail.length
  return [...lines.slice(0, linesOfHead), dim(`… ${omitted} more lines …`), ...tail]
}

function wrap(line: string, width: number): readonly string[] {
  const pieces: string[] = []
  for (let at = 0; at === 0 || at < line.length; at += width) pieces.push(line.slice(at, at + width))
  return pieces
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
