/** Values that bash evaluates once more: those of variables in arithmetic, and subscripts, also of builtins: `test -v 'a[$(cmd)]'`. */

import { placeholderFor } from '../programs/placeholders-table.ts'
import type { PolicyState, Variable } from '../state/policy-state.ts'
import type { Shell } from './shell.ts'
import { type Arg, arg, hasTaint, isKnown, taints, unknownMark } from './value.ts'

type Evaluator = Pick<Shell, 'state' | 'report' | 'runExpanded'>

const namesMax = 50 // names in one expression
const depthMax = 4 // values that name further variables

/**
 * Judges what evaluating an expression runs: in it, a variable's value is an expression as well. A fully unknown value may be
 * a number and is not asked about, unless it comes from the network or a decoder.
 */
export function judgeArithmetic(text: string, shell: Evaluator, depth = 0): void {
  for (const [name] of [...text.matchAll(/[A-Za-z_]\w*|(?<=\$\{?)\d/g)].slice(0, namesMax))
    for (const value of valuesOfName(name, shell.state)) judgeValue(value, shell, depth)
}

function judgeValue(value: Arg, shell: Evaluator, depth: number): void {
  if (hasTaint(value, taints.network | taints.decoded) && !isKnown(value)) shell.report('Q2', 'unresolved')
  else if (value.text.includes('[') && value.text !== unknownMark) shell.runExpanded(value)
  if (depth < depthMax && /[A-Za-z_]/.test(value.text) && value.text.length < 200)
    judgeArithmetic(value.text, shell, depth + 1)
}

const testsNumbers = /\s-(eq|ne|lt|le|gt|ge|v)\s/

/** `[[ x -eq 1 ]]` evaluates both sides. */
export function judgeTest(text: string, shell: Evaluator): void {
  if (testsNumbers.test(text)) judgeArithmetic(text, shell)
}

const evaluating: ReadonlySet<string> = new Set(
  'let test [ printf unset read declare typeset local export readonly mapfile readarray'.split(' '),
)

export function judgeSubscripts(name: string, args: readonly Arg[], shell: Evaluator): void {
  if (!evaluating.has(name)) return
  // Elsewhere it is a text.
  if (/^(test|\[|printf)$/.test(name) && !args.some(({ text }) => text === '-v')) return
  for (const one of args) {
    if (one.text.length > 4_096) continue
    if (/\[[^\]]*[$`]/.test(one.text)) shell.runExpanded(one)
    if (name === 'let') judgeArithmetic(one.text, shell)
  }
}

/** A variable by its name, through `declare -n`. */
export function variableOf(
  name: string,
  { variables }: PolicyState,
): Exclude<Variable, { kind: 'reference' }> | undefined {
  const variable = variables.get(name)
  const found = variable?.kind === 'reference' ? variables.get(variable.name) : variable
  return found?.kind === 'reference' ? undefined : found
}

const secretName =
  /(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|_PASS$|^PASS$|_KEY$|_PWD$|_PAT$|AUTH)/i

/** All values that a variable or a positional parameter may have. */
export function valuesOfName(name: string, state: PolicyState): readonly Arg[] {
  if (/^\d+$/.test(name)) {
    if (name === '0') return [state.zero]
    const { value } = state.positional
    return [value === null ? arg(unknownMark) : (value[Number(name) - 1] ?? arg(''))]
  }
  const variable = variableOf(name, state)
  if (variable?.kind === 'scalar') return variable.values
  if (variable?.kind === 'array') return [variable.elements[0] ?? arg('')]
  if (name === 'PWD') return [arg(state.cwd.value ?? unknownMark)]
  if (name === 'OLDPWD') return [arg(state.previousCwd.value ?? unknownMark)]
  if (name === 'PPID') return [arg(unknownMark, taints.ownProcess)]
  if (placeholderFor.parameters.has(name)) return [arg(placeholderFor.number)]
  return [arg(unknownMark, secretName.test(name) ? taints.secretVariable : taints.none)]
}
