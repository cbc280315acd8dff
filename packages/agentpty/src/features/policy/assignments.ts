/** Variables that make programs run something, by what they are for. */

import { isAtOrBelow } from './paths.ts'
import { isTemporary } from './places.ts'
import type { PolicyState } from './policy-state.ts'
import type { Shell } from './shell.ts'
import { type Arg, isKnown, unknownMark } from './value.ts'
import {
  codeVariables,
  commandVariables,
  configVariables,
  flagVariables,
  pathVariables,
  preloadVariables,
} from './variables-table.ts'

/** Reports what giving `name` this value brings about. */
export function judgeAssignment(name: string, value: Arg, shell: Shell): void {
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
    if (name.startsWith('BASH_FUNC_')) shell.inSubshell(() => shell.runCode({ ...value, text: `_${value.text}; _` }))
  } else if (
    /^(npm_config_registry|NPM_CONFIG_REGISTRY|PIP_INDEX_URL|PIP_EXTRA_INDEX_URL|UV_INDEX_URL|UV_DEFAULT_INDEX|GOPROXY|GOSUMDB|GONOSUMCHECK)$/.test(
      name,
    )
  ) {
    if (value.text !== '') shell.report('Q1', 'foreign-package', `${name}=${value.text}`)
  }
  if (name === 'AGENTPTY_PROFILE' || name === 'AGENTPTY_POLICY')
    shell.report('D2', 'self-approve', `${name}=${value.text}`)
  else if (name.startsWith('AGENTPTY_')) shell.report('Q2', 'self-tampering', name)
}

/** What a shell runs by itself: before each prompt, before a script, at each traced line. */
function judgeCodeVariable(name: string, value: Arg, shell: Shell): void {
  const isFile = name === 'BASH_ENV' || name === 'ENV'
  if (/^PS\d$/.test(name) && !/\$\(|`|\0/.test(value.text)) return
  if (value.text === '') return
  shell.report(
    'Q2',
    name.startsWith('PS') || name === 'PROMPT_COMMAND' ? 'shadowing' : 'smuggled-exec',
    `${name}=${value.text}`,
  )
  if (!isFile) {
    shell.inSubshell(() => shell.runCode(name.startsWith('PS') ? { ...value, text: `echo "${value.text}"` } : value))
    return
  }
  const content = shell.read(value)
  if (content.text !== unknownMark || content.taint !== 0)
    shell.inSubshell(() => shell.runCode({ ...content, isGlob: false }))
}

/** Commands that stand in quotes or calls of an option: `-Mbase;system("…")`. */
function runQuoted({ text, taint }: Arg, shell: Shell): void {
  for (const [, , inner = ''] of text.matchAll(/(["'`])([^"'`]{2,2000})\1/g))
    shell.inSubshell(() => shell.runCode({ text: inner, taint, isGlob: false }))
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

/** Inside the workspace or the home, where the person’s own settings are; `/dev/null` stands for none. */
function isOwnPlace(text: string, shell: Shell): boolean {
  if (text === '' || text === '/dev/null') return true
  const path = shell.resolve(text)
  if (path === null) return false
  return isInside(path, shell.state) && !isTemporary(path)
}

const isInside = (path: string, { workspace, home }: PolicyState) =>
  isAtOrBelow(path, workspace) || isAtOrBelow(path, home)
