import { baseName } from '../places/paths.ts'
import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { arg, hasTaint, joinedArgs, nothing, taints, unknownStream } from '../walk/value.ts'
import { judgeConfig, judgeSending } from './network.ts'
import { type Options, readOptions, valuesOf } from './options.ts'

export const sshValued = 'p i l o F L R D J b c e E I m O Q S W w B'

const ssh: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: sshValued, stopsAtOperand: true })
  judgeSshOptions(options, shell)
  const [, ...behindHost] = options.operands
  const more = readOptions(behindHost, { valued: sshValued, stopsAtOperand: true })
  judgeSshOptions(more, shell)
  const words = more.operands
  if (call.args.some(({ taint }) => (taint & taints.secret) !== 0) || hasTaint(call.stdin, taints.secret))
    shell.report('D2', 'credential-exfil')
  if (words.length > 0) shell.subshell().runCode(joinedArgs(words), { stdin: call.stdin })
  else if (!call.readsTerminal && call.stdin !== nothing) shell.subshell().runCode({ ...call.stdin, isGlob: false })
  return unknownStream(taints.network)
}

const sshCommandOption =
  /^(ProxyCommand|LocalCommand|KnownHostsCommand|RemoteCommand|PermitLocalCommand|XAuthLocation|SecurityKeyProvider|PKCS11Provider|ProxyUseFdpass|Include|Match)\s*[=\s]\s*(.*)$/is

function judgeSshOptions(options: Options, shell: Shell): void {
  for (const one of valuesOf(options, 'o')) {
    const found = sshCommandOption.exec(one.text)
    if (found === null || /^(none|no)$/i.test(found[2] ?? '')) continue
    if (/^PermitLocalCommand$/i.test(found[1] ?? '')) shell.report('Q2', 'smuggled-exec')
    else {
      shell.report('Q2', 'smuggled-exec')
      shell.runSmuggled({ ...one, text: found[2] ?? '' })
    }
  }
  for (const path of valuesOf(options, 'F'))
    if (path.text !== '/dev/null' && path.text !== 'none') judgeConfig(path, shell)
  for (const _module of valuesOf(options, 'I')) shell.report('Q2', 'smuggled-exec')
}

const scp: Program = ({ args }, shell) => {
  const options = readOptions(args, { valued: 'P i F l o c S J D X' })
  judgeSshOptions(options, shell)
  for (const program of valuesOf(options, 'S', 'D')) shell.runSmuggled(program)
  const target = options.operands.at(-1)
  const sources = options.operands.slice(0, -1)
  if (target === undefined) return nothing
  if (isRemote(target.text))
    judgeSending(
      sources.filter(({ text }) => !isRemote(text)),
      nothing,
      shell,
    )
  else
    for (const source of sources) {
      const isFolder = target.text === '.' || target.text.endsWith('/') || target.text.endsWith('..')
      const place = isFolder
        ? { ...target, text: `${target.text}/${baseName(source.text.replace(/^.*:/, ''))}` }
        : target
      shell.write(place, isRemote(source.text) ? unknownStream(taints.network) : shell.read(source))
    }
  return nothing
}

const isRemote = (path: string) => /^[^/]+:/.test(path)

const sftp: Program = ({ args, stdin }, shell) => {
  const options = readOptions(args, { valued: 'P i F l o c S J D b B R s X' })
  judgeSshOptions(options, shell)
  for (const program of valuesOf(options, 'S', 'D')) shell.runSmuggled(program)
  for (const line of stdin.text.split('\n').slice(0, 200)) {
    const local = /^\s*!(.+)/.exec(line)?.[1]
    if (local !== undefined) shell.subshell().runCode(arg(local))
    if (/^\s*m?put\b/.test(line))
      judgeSending(
        line
          .split(/\s+/)
          .slice(1)
          .map((word) => arg(word)),
        nothing,
        shell,
      )
  }
  return unknownStream(taints.network)
}

export const remoteShells: Programs = {
  ...programsNamed('ssh autossh mosh', ssh),
  sshpass: (call, shell) => {
    const { operands } = readOptions(call.args, { valued: 'p f d P', stopsAtOperand: true })
    return operands.length === 0 ? nothing : shell.run(operands, call.stdin)
  },
  scp,
  sftp,
}
