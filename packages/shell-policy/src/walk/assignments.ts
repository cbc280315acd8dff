/** Variables: how a line sets them, and what programs and shells do with their values. */

import type { ArrayValue, Assignment } from 'unbash'
import { isAtOrBelow } from '../places/paths.ts'
import { isTemporary } from '../places/places.ts'
import { isExistingCommand } from '../programs/reading.ts'
import type { PolicyState, Variable } from '../state/policy-state.ts'
import {
  codeVariables,
  commandVariables,
  configVariables,
  flagVariables,
  pathVariables,
  preloadVariables,
} from '../state/variables-table.ts'
import { judgeArithmetic, variableOf } from './evaluated-values.ts'
import { type Expander, expandAsOne, expandWords } from './expand.ts'
import type { Shell } from './shell.ts'
import { type Arg, arg, bounded, isKnown, nothing, unknownMark } from './value.ts'

/** Sets a variable and reports the effects, for assignments, builtins, loops and expansions. `given` may have a subscript. */
export function setVariable(given: string, variable: Variable, shell: Shell): void {
  const { variables } = shell.state
  const [, base = given, key] = /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(given) ?? []
  if (variable.kind === 'reference') {
    const target = variables.get(variable.name)
    const name = target?.kind === 'reference' ? target.name : variable.name
    if (name !== base) variables.set(base, { kind: 'reference', name })
    return
  }
  const reference = variables.get(base)
  if (reference?.kind === 'reference') {
    setVariable(key === undefined ? reference.name : `${reference.name}[${key}]`, variable, shell)
    return
  }
  const before = variableOf(base, shell.state)
  const values = variable.kind === 'scalar' ? variable.values : variable.elements
  const isInteger = before?.kind === 'scalar' && before.isInteger === true
  // The usual folders of a list are an element that cannot be known: `fpath=(~/f $fpath)`.
  const judged = values.length > 1 ? values.filter(({ text }) => text !== unknownMark || !isFolderList(base)) : values
  for (const value of judged.length === 0 ? [arg('')] : judged) {
    // To zsh it is PATH.
    judgeAssignment(base === 'path' && variable.kind === 'array' ? 'PATH' : base, value, shell)
    if (isInteger) judgeInteger(value, shell)
    if (key !== undefined) setElement({ base, key, isDeclared: before?.kind === 'array' }, value, shell)
  }
  if (key !== undefined)
    variables.set(base, { kind: 'array', elements: [...(before?.kind === 'array' ? before.elements : []), ...values] })
  else variables.set(base, isInteger && variable.kind === 'scalar' ? { ...variable, isInteger } : variable)
}

const isFolderList = (name: string) => pathVariables.has(name) || name === 'path'

/** The value of a variable that `declare -i` made a number is an expression. */
function judgeInteger(value: Arg, shell: Shell): void {
  if (isKnown(value)) shell.runExpanded(value)
  judgeArithmetic(value.text, shell)
}

interface Element {
  readonly base: string
  readonly key: string
  /** The line or an earlier one has made it an array of its own. */
  readonly isDeclared: boolean
}

/** Arrays by which a shell changes its aliases, functions and known commands. */
function setElement({ base, key, isDeclared }: Element, value: Arg, shell: Shell): void {
  judgeArithmetic(key, shell)
  if (/[$`]/.test(key)) shell.runExpanded(arg(key))
  if (isDeclared && !base.startsWith('BASH_')) return
  const option = { BASH_ALIASES: '--', aliases: '--', galiases: '-g', saliases: '-s' }[base]
  if (option !== undefined) shell.run([arg('alias'), arg(option), { ...value, text: `${key}=${value.text}` }], nothing)
  const isFunction = base === 'functions' || base === 'dis_functions'
  if (isFunction) shell.state.functions.set(key, { source: value.text })
  if (base === 'BASH_CMDS' || base === 'commands' || base === 'saliases' || (isFunction && isExistingCommand(key)))
    shell.report('Q2', 'shadowing', `${base}[${key}]`)
}

/** Names by which a shell calls code at its prompts, and by which agentpty marks commands. Without them the session is not guarded. */
export const isShellHook = (name: string) =>
  /^(PROMPT_COMMAND|PS0|(precmd|preexec|chpwd|periodic|zshexit|zshaddhistory)(_functions)?|fish_(prompt|preexec|postexec)|_+agentpty\w*|histchars|HISTCHARS)$/.test(
    name,
  )

/** Reports what giving `name` this value brings about. */
function judgeAssignment(name: string, value: Arg, shell: Shell): void {
  if (codeVariables.has(name)) {
    judgeCodeVariable(name, value, shell)
  } else if (commandVariables.has(name)) {
    // `|` and `-` say how less talks to it.
    if (value.text !== '') shell.runSmuggled({ ...value, text: value.text.replace(/^[|-]+/, '') })
  } else if (preloadVariables.has(name)) {
    if (value.text !== '') shell.report('Q2', 'smuggled-exec', `${name}=${value.text}`)
  } else if (pathVariables.has(name)) {
    if (!value.text.split(':').every((folder) => isUsualFolder(folder, shell)))
      shell.report('Q2', 'smuggled-exec', `${name}=${value.text}`)
  } else if (configVariables.has(name)) {
    if (!isOwnPlace(value.text, shell)) shell.report('Q2', 'smuggled-exec', `${name}=${value.text}`)
  } else if (
    Object.hasOwn(flagVariables, name) &&
    (!isKnown(value) || flagVariables[name]?.test(value.text) === true)
  ) {
    shell.report('Q2', 'smuggled-exec', `${name}=${value.text}`)
    runQuoted(value, shell)
  } else if (
    /^(npm|NPM)_(config|CONFIG)_(script[-_]shell|SCRIPT_SHELL|node_gyp|git|GIT|editor|EDITOR|shell|SHELL)$/.test(name)
  ) {
    shell.runSmuggled(value)
  } else if (/^BASH_FUNC_|^GIT_CONFIG_(KEY|VALUE|COUNT|PARAMETERS)/.test(name)) {
    shell.report('Q2', 'smuggled-exec', name)
    // A function of that name, as a shell takes it over.
    if (name.startsWith('BASH_FUNC_')) shell.subshell().runCode({ ...value, text: `_${value.text}; _` })
  } else if (
    /^(npm_config_registry|NPM_CONFIG_REGISTRY|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|UV_INDEX_URL|UV_DEFAULT_INDEX|GOPROXY|GOSUMDB|GONOSUMCHECK)$/.test(
      name,
    )
  ) {
    if (value.text !== '') shell.report('Q1', 'foreign-package', `${name}=${value.text}`)
  }
  if (isShellHook(name) && (value.text === '' || !codeVariables.has(name))) shell.report('Q2', 'self-tampering', name)
  if (name.endsWith('_functions') && isShellHook(name)) shell.subshell().run([value], nothing)
  if (name === 'AGENTPTY_PROFILE' || name === 'AGENTPTY_POLICY')
    shell.report('D2', 'self-approve', `${name}=${value.text}`)
  // By it agentpty hands an agent its task, as text.
  else if (name.startsWith('AGENTPTY_') && name !== 'AGENTPTY_INSTRUCTION') shell.report('Q2', 'self-tampering', name)
}

/** A prompt's text, where nothing but substitutions run. */
const prompts = /^(PS[1-4]|R?PROMPT\d?|RPS\d|MAILPATH)$/

/** Judges code that a shell runs automatically: before each prompt, before a script, at each traced line. */
function judgeCodeVariable(name: string, value: Arg, shell: Shell): void {
  const isFile = name === 'BASH_ENV' || name === 'ENV'
  if (prompts.test(name) && !(name.startsWith('PS') ? /\$\(|`|\0/ : /\$\(|`/).test(value.text)) return
  if (value.text === '') return
  shell.report(
    'Q2',
    name.startsWith('PS') || name === 'PROMPT_COMMAND' ? 'shadowing' : 'smuggled-exec',
    `${name}=${value.text}`,
  )
  if (!isFile) {
    if (prompts.test(name) || name === 'PS0') shell.runExpanded(value)
    else shell.subshell().runCode(value)
    return
  }
  const content = shell.read(value)
  if (content.text !== unknownMark || content.taint !== 0) shell.subshell().runCode({ ...content, isGlob: false })
}

/** Runs commands in quotes or calls of an option: `-Mbase;system("…")`. */
function runQuoted({ text, taint }: Arg, shell: Shell): void {
  for (const [, , inner = ''] of text.matchAll(/(["'`])([^"'`]{2,2000})\1/g))
    shell.subshell().runCode({ text: inner, taint, isGlob: false })
}

function isUsualFolder(folder: string, shell: Shell): boolean {
  if (folder === '') return true
  const path = shell.resolve(folder)
  if (path === null) return false
  const { workspace, home } = shell.state
  return (
    isAtOrBelow(path, workspace) ||
    isAtOrBelow(path, home) ||
    /^\/(usr|bin|sbin|opt|lib\d*|snap|nix|home\/linuxbrew)(\/|$)/.test(path)
  )
}

/** Returns whether the path is inside the workspace or the home, where the person's own settings are; `/dev/null` means none. */
function isOwnPlace(text: string, shell: Shell): boolean {
  if (text === '' || text === '/dev/null' || isFreshFolder(text, shell)) return true
  const path = shell.resolve(text)
  if (path === null) return false
  return isInside(path, shell.state) && !isTemporary(path)
}

/** A folder that `mktemp` has just made, and that nothing was written to. */
function isFreshFolder(text: string, shell: Shell): boolean {
  const path = shell.resolve(text) ?? ''
  return /^\/tmp\/[\w.-]*\u0001$/.test(text) && ![...shell.state.files.keys()].some((file) => isAtOrBelow(file, path))
}

const isInside = (path: string, { workspace, home }: PolicyState) =>
  isAtOrBelow(path, workspace) || isAtOrBelow(path, home)

type Assigning = Expander & Shell

/** `name=value` in a program: what the variable may be from then on. */
export function assignNode({ name, value, append, index }: Assignment, source: string, shell: Assigning): void {
  const before = append ? variableOf(name, shell.state) : undefined
  if (value.type === 'ArrayValue') {
    assignArray(name, elementsOf(value, source, shell), before?.kind === 'array' ? before.elements : [], shell)
    return
  }
  const start = before?.kind === 'scalar' ? before.values : [arg(append ? unknownMark : '')]
  const values = expandAsOne(value, source, shell)
  const joinedValues = start.flatMap((one) =>
    values.map((two) => ({
      text: bounded(one.text + two.text),
      taint: one.taint | two.taint,
      isGlob: one.isGlob || two.isGlob,
    })),
  )
  const keys = index === undefined ? [null] : expandAsOne(index, source, shell)
  for (const key of keys)
    setVariable(
      key === null ? name : `${name}[${key.text}]`,
      { kind: 'scalar', values: (key === null ? joinedValues : values).slice(0, 8) },
      shell,
    )
}

const keyed = /^\[([^\]]*)\]=/

/** Elements with keys of their own are assigned one by one as well; in zsh’s special arrays every second element is a key. */
function assignArray(name: string, given: readonly Arg[], before: readonly Arg[], shell: Assigning): void {
  const isOfPairs = /^([gs]?aliases|functions)$/.test(name)
  for (const [index, one] of given.entries()) {
    const key = keyed.exec(one.text)?.[1] ?? (isOfPairs && index % 2 === 1 ? given[index - 1]?.text : undefined)
    if (key === undefined) continue
    setVariable(`${name}[${key}]`, { kind: 'scalar', values: [{ ...one, text: one.text.replace(keyed, '') }] }, shell)
  }
  const elements = given.map((one) => ({ ...one, text: one.text.replace(keyed, '') }))
  setVariable(name, { kind: 'array', elements: [...before, ...elements] }, shell)
}

const elementsOf = ({ elements }: ArrayValue, source: string, shell: Assigning): readonly Arg[] =>
  expandWords(elements, source, shell)[0] ?? []
