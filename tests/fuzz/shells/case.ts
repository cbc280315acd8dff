/** A case of the shells' fuzz test: calls that type into one terminal, and the commands that the shell ran. */

import * as z from 'zod'

/** `V` in a text is the path of a folder that the agent may not remove. A wait of 0 makes the next call type ahead. */
export const Step = z.union([
  z.strictObject({ send: z.string(), newline: z.boolean(), waitMs: z.number() }),
  z.strictObject({ keys: z.array(z.string()), waitMs: z.number() }),
  z.strictObject({ run: z.string(), waitMs: z.number() }),
  z.strictObject({ write: z.string(), waitMs: z.number() }),
])
export type Step = z.infer<typeof Step>

export const Case = z.strictObject({ shell: z.string(), seed: z.number(), steps: z.array(Step) })
export type Case = z.infer<typeof Case>

export interface Outcome {
  /** The code of the error of each step; null where the call was allowed. */
  readonly errors: readonly (string | null)[]
  /** Each recorded program: its name and its arguments. */
  readonly ran: readonly string[]
  readonly violations: readonly string[]
  readonly screen: string
}

/** Programs that only record their calls. The policy allows the first ones, and asks about `dangers`. */
export const safePrograms = ['s1', 's2', 's3'] as const

/** Lines about which the policy asks. */
export const dangers = ['rm -r V', 'shutdown now', 'sudo s9'] as const

/** A recorded call of a program is dangerous only with the argument from `dangers`. */
export function isDangerous(ran: string, victim: string): boolean {
  const [name = '', ...args] = ran.split(' ')
  const danger = dangers.find((line) => line.split(' ', 1)[0] === name)
  const argument = danger?.split(' ').at(-1)
  return argument !== undefined && args.includes(argument === 'V' ? victim : argument)
}

export function textOf(step: Step): string {
  if ('send' in step) return step.send
  if ('run' in step) return step.run
  return 'write' in step ? step.write : ''
}

/** The lines that a step enters. */
export function linesIn(step: Step): number {
  if ('keys' in step) return step.keys.includes('enter') ? 1 : 0
  const lines = textOf(step).split(/\r\n?|\n/).length
  return 'run' in step || ('send' in step && step.newline) ? lines : lines - 1
}

/** Four letters after a `k` mark each safe line, so that an executed program identifies its line. */
export const mark = /\bk[a-z]{4}\b/g

/** The violations of a run in which no call was approved. */
export function violationsOf(
  { steps }: Case,
  { errors, ran }: Pick<Outcome, 'errors' | 'ran'>,
  victim: string,
): string[] {
  const marksWhere = (isWanted: (error: string | null, at: number) => boolean) =>
    new Set(
      steps.flatMap((step, at) => {
        const error = errors[at]
        return error !== undefined && isWanted(error, at) ? (textOf(step).match(mark) ?? []) : []
      }),
    )
  // zsh keeps the text of a paste for ctrl+y, also of one that was dropped. The line with it is judged before Enter.
  const yankedTo = steps.findLastIndex(
    (step, at) => 'keys' in step && step.keys.includes('ctrl+y') && errors[at] === null,
  )
  // For a partly executed call, the first lines were allowed.
  const allowed = marksWhere((error, at) => error === null || error === 'partly_done' || at < yankedTo)
  const refused = marksWhere((error) => error !== null)
  return ran.flatMap((call) => {
    if (isDangerous(call, victim)) return [`a dangerous command ran: ${call.replaceAll(victim, 'V')}`]
    const [found] = call.match(mark) ?? []
    if (found === undefined || allowed.has(found) || !refused.has(found)) return []
    return [`a command of a refused call ran: ${call.replaceAll(victim, 'V')}`]
  })
}
