/** Package managers, as far as they run a command that is on the line. */

import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { type Arg, arg, joinedArgs, unknownStream } from '../walk/value.ts'
import { readOptions, valuesOf } from './options.ts'

const runnerValued =
  'p package c call prefix w workspace C dir filter F userconfig globalconfig registry loglevel cache script-shell from with spec python'

const npm: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: `${runnerValued} otp tag access`, stopsAtOperand: true })
  judgeScriptShell(call.args, shell)
  const [verb, ...rest] = options.operands
  const word = verb?.text ?? ''
  if (/^(exec|x|dlx)$/.test(word)) return runPackage({ ...call, args: rest }, shell)
  if (/^(run|run-script|test|start|workspace|workspaces|rum|urn)$/.test(word) || word === '') return unknownStream()
  if (word === 'config' || word === 'c' || word === 'set') judgeNpmSetting(rest, shell)
  return unknownStream()
}

function judgeScriptShell(args: readonly Arg[], shell: Shell): void {
  for (const command of valuesOf(
    readOptions(args, { valued: 'script-shell node-gyp git editor viewer' }),
    'script-shell',
    'node-gyp',
    'git',
    'editor',
    'viewer',
  ))
    shell.runSmuggled(command)
}

function judgeNpmSetting(words: readonly Arg[], shell: Shell): void {
  const text = joinedArgs(words).text
  const found =
    /(?:^|\s)(?:set\s+)?(script-shell|shell|editor|git|node-options|viewer|prefix|registry|ignore-scripts|init-module|onload-script)[ =](\S.*)/.exec(
      text,
    )
  if (found?.[1] === 'registry') shell.report('Q1', 'foreign-package')
  else if (found?.[2] !== undefined && found[1] !== 'prefix' && found[1] !== 'ignore-scripts') {
    shell.report('Q2', 'smuggled-exec')
    shell.runSmuggled({ ...arg(found[2]) })
  }
  if (/^get\b.*(_auth|token|password)/i.test(text)) shell.report('Q2', 'credential-read')
}

/** `npx`, `npm exec`, `pnpm dlx`, `bunx`: a text behind `-c`, or a package and its arguments. */
const runPackage: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: runnerValued, stopsAtOperand: true })
  const code = valuesOf(options, 'c', 'call')
  for (const one of code) shell.subshell().runCode(one)
  if (code.length > 0) return unknownStream()
  judgeScriptShell(call.args, shell)
  const packages = [...valuesOf(options, 'p', 'package'), ...options.operands.slice(0, 1)]
  for (const { text } of packages) if (isForeignPackage(text)) shell.report('Q2', 'foreign-package')
  const [name, ...rest] = options.operands[0]?.text === '--' ? options.operands.slice(1) : options.operands
  if (name === undefined) return unknownStream()
  const bare = name.text.replace(/^(@[^/]+\/)?/, (scope) => scope).replace(/(.)@[^/]*$/, '$1')
  return shell.run(
    [
      {
        ...name,
        text:
          bare.includes('/') && !bare.startsWith('.') && !bare.startsWith('/')
            ? bare.slice(bare.lastIndexOf('/') + 1)
            : bare,
      },
      ...rest,
    ],
    call.stdin,
  )
}

export const isForeignPackage = (text: string) =>
  /^(https?|git|git\+\w+|ssh|file|github|gitlab|bitbucket|gist):|^[\w.-]+\/[\w.-]+(#.*)?$|\.(tgz|whl|zip|tar\.gz)$|^git@/.test(
    text,
  ) && !/^@/.test(text)

export const packageRunners: Programs = {
  ...programsNamed('npm pnpm yarn', npm),
  ...programsNamed('npx pnpx bunx uvx', runPackage),
  pipx: (call, shell) =>
    call.args[0]?.text === 'run' ? runPackage({ ...call, args: call.args.slice(1) }, shell) : unknownStream(),
}
