/** git: what it discards, and what it is made to run by options and configuration. */

import { isCredential, isGuard, isPrivate, isProtectedRoot } from '../places/places.ts'
import type { Call, Program, Programs, Shell } from '../walk/shell.ts'
import {
  type Arg,
  arg,
  globArg,
  hasTaint,
  isKnown,
  joinedArgs,
  listing,
  nothing,
  type Stream,
  taints,
  textStream,
  unknownStream,
} from '../walk/value.ts'
import { commandSettings, discards } from './git-table.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'

const git: Program = (call, shell) => {
  const own = readOptions(call.args, {
    valued: 'C c git-dir work-tree exec-path namespace config-env super-prefix',
    stopsAtOperand: true,
  })
  for (const setting of valuesOf(own, 'c')) judgeSetting(setting, shell)
  for (const _one of valuesOf(own, 'config-env')) shell.report('Q2', 'smuggled-exec')
  for (const path of valuesOf(own, 'exec-path')) if (path.text !== '') shell.report('Q2', 'smuggled-exec')
  for (const path of valuesOf(own, 'git-dir')) judgeFolder(path, shell)
  const [verb, ...args] = own.operands
  if (verb === undefined) return unknownStream()
  const aliased = aliasOf(verb.text, valuesOf(own, 'c'), shell)
  if (aliased !== null)
    return shell.subshell().runCode({ ...aliased, text: `${aliased.text.slice(1)} ${joinedArgs(args).text}` })
  const [folder] = valuesOf(own, 'C')
  return runVerb(verb.text, { ...call, args }, shell.inFolder(folder))
}

/** Another repository’s configuration says what git runs. */
function judgeFolder(path: Arg, shell: Shell): void {
  const resolved = shell.resolve(path.text)
  const { workspace, home } = shell.state
  if (resolved === null || !(`${resolved}/`.startsWith(`${workspace}/`) || `${resolved}/`.startsWith(`${home}/`)))
    shell.report('Q2', 'smuggled-exec')
}

/** Returns the command of an alias that begins with `!`. */
function aliasOf(verb: string, settings: readonly Arg[], shell: Shell): Arg | null {
  for (const { text, taint } of settings) {
    const found = /^alias\.([^=]+)=(!.*)$/is.exec(text)
    if (found?.[1] === verb && found[2] !== undefined) return { text: found[2], taint, isGlob: false }
  }
  const kept = shell.state.variables.get(`git alias ${verb}`)
  return kept?.kind === 'scalar' ? (kept.values[0] ?? null) : null
}

/** `key=value` of a configuration: whether git runs the value. */
function judgeSetting({ text, taint }: Arg, shell: Shell): void {
  const equals = text.indexOf('=')
  judgeConfigured(
    equals < 0 ? text : text.slice(0, equals),
    { text: equals < 0 ? '' : text.slice(equals + 1), taint, isGlob: false },
    'smuggled-exec',
    shell,
  )
}

function judgeConfigured(key: string, value: Arg, rule: 'smuggled-exec' | 'persistence', shell: Shell): void {
  const name = key.toLowerCase()
  if (name.startsWith('alias.')) {
    if (!value.text.startsWith('!')) return
    shell.report('Q2', rule)
    shell.subshell().runCode({ ...value, text: value.text.slice(1) })
  } else if (/^core\.fsmonitor$/.test(name) && /^(true|false|)$/.test(value.text)) return
  else if (
    /^protocol\..*allow$|^core\.(hookspath|attributesfile|worktree|gitproxy)$|^include(if\..*)?\.path$|^init\.templatedir$|^safe\.directory$|^url\..*insteadof$|^http\..*sslverify$|^remote\..*\.(vcs|uploadpack|receivepack)$/.test(
      name,
    )
  ) {
    if (!/^(user|never)$|^\.(githooks|husky)/.test(value.text) && !(name === 'safe.directory' && value.text !== '*'))
      shell.report('Q2', rule)
  } else if (commandSettings.test(name)) {
    if (!isKnown(value)) shell.report('Q2', 'unresolved')
    if (value.text !== '') shell.runSmuggled(value)
  } else if (!isKnown({ text: key })) shell.report('Q2', 'unresolved')
}

type Verb = (call: Call, shell: Shell) => Stream

function runVerb(verb: string, call: Call, shell: Shell): Stream {
  for (const { pattern, code, rule, isKept } of (Object.hasOwn(discards, verb) ? discards[verb] : undefined) ?? [])
    if (!(isKept && shell.state.gate !== null) && pattern.test(joinedArgs(call.args).text)) shell.report(code, rule)
  if (/^(checkout|restore|mv|rm)$/.test(verb))
    for (const { text } of call.args) {
      const path = shell.resolve(text)
      if (path !== null && isGuard(path, shell.state)) shell.report('Q2', 'self-tampering')
    }
  const handler = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
  judgeRemoteCommands(call, shell)
  return handler === undefined ? unknownStream() : handler(call, shell)
}

/** `--upload-pack=CMD`, `ext::CMD`, `-O CMD`, `-x CMD`. */
function judgeRemoteCommands({ args }: Call, shell: Shell): void {
  for (const [index, { text, taint }] of args.entries()) {
    const named =
      /^--(upload-pack|receive-pack|exec|open-files-in-pager|extcmd|smtp-server|sendmail-cmd|to-cmd|cc-cmd|upload-archive|ssh-command|pager|tool-cmd|gpg-program)(?:=(.*))?$/s.exec(
        text,
      )
    if (named !== null && !(named[1] === 'exec' && named[2] === undefined)) {
      const command = named[2] ?? (named[1] === 'open-files-in-pager' ? 'less' : args[index + 1]?.text)
      const isAddress = named[1] === 'smtp-server' && !/^[./~]/.test(command ?? '')
      if (command !== undefined && !isAddress) shell.runSmuggled({ text: command, taint, isGlob: false })
    }
    if (text.startsWith('ext::')) {
      shell.report('Q2', 'smuggled-exec')
      shell.subshell().runCode({ text: text.slice('ext::'.length), taint, isGlob: false })
    }
  }
}

const config: Verb = ({ args }, shell) => {
  const options = readOptions(args, { valued: 'f file blob type default t' })
  for (const path of valuesOf(options, 'f', 'file')) if (options.operands.length > 1) shell.write(path, unknownStream())
  if (
    [...options.flags].some((flag) =>
      /^(get(-all|-regexp|-urlmatch)?|l|list|show-(origin|scope)|unset(-all)?|remove-section)$/.test(flag),
    )
  )
    return unknownStream()
  const operands = /^(set|get|list|unset|edit|rename-section|remove-section)$/.test(options.operands[0]?.text ?? '')
    ? options.operands[0]?.text === 'set'
      ? options.operands.slice(1)
      : []
    : options.operands
  if (hasFlag(options, 'e', 'edit')) shell.report('Q2', 'persistence')
  const [key, value] = operands
  if (key === undefined || value === undefined) return unknownStream()
  judgeConfigured(key.text, value, 'persistence', shell)
  const alias = /^alias\.(.+)$/i.exec(key.text)?.[1]
  if (alias !== undefined && value.text.startsWith('!'))
    shell.state.variables.set(`git alias ${alias}`, { kind: 'scalar', values: [value] })
  return nothing
}

const clean: Verb = ({ args }, shell) => {
  const options = readOptions(args, { valued: 'e exclude' })
  if (hasFlag(options, 'n', 'dry-run') || hasFlag(options, 'i', 'interactive') === true) return nothing
  if (!hasFlag(options, 'f', 'force')) return nothing
  for (const path of options.operands) shell.remove(path)
  const here = shell.resolve('.')
  if (options.operands.length === 0 && here !== null && isProtectedRoot(here, shell.state))
    shell.report('D2', 'root-wipe')
  else if (options.operands.length === 0) shell.remove({ ...arg('untracked'), isGlob: true })
  return nothing
}

const add: Verb = ({ args }, shell) => {
  const isSecret = args.some(({ text, taint }) => {
    const path = shell.resolve(text)
    const content = path === null ? undefined : shell.state.files.get(path)
    if (
      path !== null &&
      (isCredential(path, shell.state) || (isPrivate(path) && args.some((one) => /^(-f|--force)$/.test(one.text))))
    )
      return true
    return (taint & taints.secret) !== 0 || (content !== undefined && hasTaint(content, taints.secret))
  })
  const takesAll = args.some(({ text }) => /^(-A|--all|\.|-a|-am?|\*|-u)$/.test(text))
  const hasSecretFile =
    takesAll &&
    [...shell.state.files.entries()].some(
      ([path, content]) => path.startsWith(`${shell.state.cwd.value ?? '/'}/`) && hasTaint(content, taints.secret),
    )
  if (isSecret || hasSecretFile) shell.state.hasStagedSecret.value = true
  return nothing
}

const push: Verb = (call, shell) => {
  if (shell.state.hasStagedSecret.value) shell.report('D2', 'credential-exfil')
  const { operands } = readOptions(call.args, { valued: 'o push-option repo receive-pack exec' })
  if (operands.slice(1).some(({ text }) => /^\+|^:./.test(text))) shell.report('Q1', 'destructive-vcs')
  return nothing
}

const clone: Verb = ({ args }, shell) => {
  const options = readOptions(args, {
    valued:
      'b branch depth o origin c config template reference separate-git-dir j jobs u upload-pack filter shallow-since',
  })
  for (const setting of valuesOf(options, 'c', 'config')) judgeSetting(setting, shell)
  for (const path of valuesOf(options, 'template')) judgeTemplate(path, shell)
  for (const command of valuesOf(options, 'u')) shell.runSmuggled(command)
  const [url, given] = options.operands
  if (url === undefined) return nothing
  const folder =
    given ??
    arg(
      url.text
        .replace(/\/+$/, '')
        .split(/[/:]/)
        .at(-1)
        ?.replace(/\.git$/, '') || 'clone',
    )
  const resolved = shell.resolve(folder.text)
  shell.write({ ...folder, text: `${folder.text}/.clone` }, unknownStream())
  if (resolved !== null && /:/.test(url.text)) shell.state.fetchedFolders.push(resolved)
  return nothing
}

function judgeTemplate(path: Arg, shell: Shell): void {
  if (path.text !== '') judgeFolder(path, shell)
}

/** The command behind an option, or behind a word. */
const eachCommand =
  (names: readonly string[], valued: string): Verb =>
  ({ args }, shell) => {
    for (const code of valuesOf(readOptions(args, { valued }), ...names)) shell.subshell().runCode(code)
    return nothing
  }

const verbs: Readonly<Record<string, Verb>> = {
  config,
  clean,
  add,
  stage: add,
  commit: (call, shell) => {
    if (call.args.some(({ text }) => /^-[a-zA-Z]*a/.test(text))) add({ ...call, args: [arg('-A')] }, shell)
    return nothing
  },
  push,
  clone,
  init: ({ args }, shell) => {
    const options = readOptions(args, { valued: 'template b initial-branch separate-git-dir' })
    for (const path of valuesOf(options, 'template')) judgeTemplate(path, shell)
    return nothing
  },
  rebase: eachCommand(['x', 'exec'], 'x exec s strategy X strategy-option onto C whitespace'),
  'filter-branch': eachCommand(
    [
      'tree-filter',
      'index-filter',
      'env-filter',
      'msg-filter',
      'commit-filter',
      'parent-filter',
      'tag-name-filter',
      'setup',
    ],
    'tree-filter index-filter env-filter msg-filter commit-filter parent-filter tag-name-filter setup d subdirectory-filter original',
  ),
  bisect: ({ args, stdin }, shell) => (args[0]?.text === 'run' ? shell.run(args.slice(1), stdin) : nothing),
  submodule: ({ args }, shell) => {
    const options = readOptions(args)
    const at = options.operands.findIndex(({ text }) => text === 'foreach')
    return at < 0 ? nothing : shell.subshell().runCode(joinedArgs(options.operands.slice(at + 1)))
  },
  difftool: ({ args }, shell) => {
    for (const code of valuesOf(readOptions(args, { valued: 'x extcmd t tool' }), 'x', 'extcmd'))
      shell.runSmuggled(code)
    return nothing
  },
  grep: ({ args }, shell) => {
    for (const { text, taint } of args)
      if (/^-O./.test(text)) shell.runSmuggled({ text: text.slice(2), taint, isGlob: false })
    return args.some(({ text }) => /^-[a-zA-Z]*[lL]/.test(text)) ? listing([globArg('found*')]) : unknownStream()
  },
  'ls-files': ({ args }) => {
    const { operands } = readOptions(args)
    return listing(
      operands.length > 0 ? operands.map(({ text }) => globArg(text.replace(/\/$/, ''))) : [globArg('found*')],
    )
  },
  'rev-parse': ({ args }, shell) =>
    args.some(({ text }) => text === '--show-toplevel')
      ? unknownStream()
      : args.some(({ text }) => text === '--git-dir')
        ? textStream(`${shell.state.workspace}/.git\n`)
        : textStream('\u0001\n'),
  describe: () => textStream('\u0001\n'),
  diff: ({ args }) =>
    args.some(({ text }) => text === '--name-only') ? listing([globArg('found*')]) : unknownStream(),
  bundle: () => nothing,
  credential: ({ args }, shell) => {
    if (args[0]?.text === 'fill') shell.report('Q2', 'credential-read')
    return unknownStream(taints.secret)
  },
  archive: ({ args }, shell) => {
    for (const path of valuesOf(readOptions(args, { valued: 'o output format prefix remote exec' }), 'o', 'output'))
      shell.write(path, unknownStream())
    return unknownStream()
  },
  daemon: (_call, shell) => {
    shell.report('Q2', 'privilege')
    return nothing
  },
}

export const gitPrograms: Programs = { git, yadm: git, hub: git }
