/** Redirections: what a command reads, and where its output goes. */

import type { Command, HereDoc, Redirect, Redirection, Word } from 'unbash'
import { isPattern } from '../places/paths.ts'
import type { PolicyState } from '../state/policy-state.ts'
import type { Code, Rule } from '../verdict.ts'
import { contentOf, effectOfReading, effectOfRemoval, effectOfWriting } from './effects.ts'
import { type Expander, expandAsOne, expandBody } from './expand.ts'
import type { Findings, Sink, Sinks } from './findings.ts'
import type { Shell } from './shell.ts'
import {
  type Arg,
  arg,
  asStream,
  hasTaint,
  joined,
  nothing,
  type Stream,
  taints,
  unknownMark,
  unknownStream,
} from './value.ts'

export type Redirecting = Expander & Pick<Shell, 'read' | 'report'>

/** Returns the input of a command, and the targets of its output. */
export function readRedirections(
  redirections: readonly Redirection[],
  source: string,
  stdin: Stream,
  shell: Redirecting,
) {
  const targets: Arg[] = []
  let input = stdin
  let takesOutput = false
  for (const one of redirections) {
    if (one.type === 'HereDoc') input = hereDocument(one, source, shell)
    else if (one.type === 'HereString')
      input = one.target === undefined ? unknownStream() : hereString(one.target, source, shell)
    else {
      const found = redirect(one, source, shell)
      if (found.input !== null && descriptorOf(one, 0) === 0 && (input === stdin || one.operator.startsWith('<')))
        input = found.input
      targets.push(...found.targets)
      takesOutput ||= found.targets.length > 0 && descriptorOf(one, 1) === 1
    }
  }
  const takesInput = redirections.some(({ operator }) => operator.startsWith('<'))
  // Without a command, `$(< file)` is the content of the file.
  return { stdin: input, read: takesInput ? input : nothing, targets, takesOutput, isKept: redirections.length > 0 }
}

function hereString(word: Word, source: string, shell: Redirecting): Stream {
  return joined(expandAsOne(word, source, shell).map((one) => asStream({ ...one, text: `${one.text}\n` })))
}

function hereDocument({ body, delimiter, operator, closing }: HereDoc, source: string, shell: Redirecting): Stream {
  // The shell still waits for its end.
  if (closing === undefined) shell.report('Q2', 'unparsed')
  const text = (raw: string) => (operator === '<<-' ? raw.replace(/^\t+/gm, '') : raw)
  if (delimiter?.quoted || body.parts === undefined) return { ...nothing, text: text(body.text) }
  return joined(expandBody(body.parts, source, shell).map((one) => asStream({ ...one, text: text(one.text) })))
}

function redirect(
  redirect: Redirect,
  source: string,
  shell: Redirecting,
): { readonly input: Stream | null; readonly targets: readonly Arg[] } {
  const paths = redirect.target === undefined ? [arg(unknownMark)] : expandAsOne(redirect.target, source, shell)
  const [path = arg(unknownMark)] = paths
  const isNetwork = /^\/dev\/(tcp|udp)\//.test(path.text)
  if (redirect.operator === '<&' || redirect.operator === '>&') {
    // A number that is not known, like that of a coprocess, is that of a descriptor as well.
    if (/^(\d+|\u0001)-?$|^-$/.test(path.text)) {
      const input = shell.state.descriptors.get(Number.parseInt(path.text, 10)) ?? null
      if (redirect.operator === '>&' && input !== null && hasTaint(input, taints.network))
        return { input: null, targets: [arg('/dev/tcp/peer')] }
      return { input: redirect.operator === '<&' ? input : null, targets: [] }
    }
  }
  if (redirect.operator === '<' || redirect.operator === '<&') {
    if (/^\/(dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/.test(path.text)) return { input: null, targets: [] }
    return { input: joined(paths.map((one) => shell.read(one))), targets: [] }
  }
  if (redirect.operator === '<>') return { input: shell.read(path), targets: paths }
  // A network connection is also read from: `>& /dev/tcp/host/port 0>&1`.
  if (isNetwork) shell.state.descriptors.set(1, unknownStream(taints.network))
  return { input: isNetwork ? unknownStream(taints.network) : null, targets: paths }
}

/** `exec 3< file`: the descriptor stays. */
export function keepDescriptors({ redirects }: Command, source: string, shell: Redirecting): Stream {
  for (const one of redirects) {
    if (one.type !== 'Redirect') continue
    const { input } = redirect(one, source, shell)
    const number = descriptorOf(one, one.operator.startsWith('<') ? 0 : 1)
    if (input !== null) shell.state.descriptors.set(number, input)
  }
  return nothing
}

function descriptorOf({ descriptor }: Redirect, otherwise: number): number {
  return descriptor?.type === 'FileDescriptor' ? descriptor.value : otherwise
}

interface Host {
  readonly state: PolicyState
  readonly gathered: { readonly findings: Findings; readonly sinks: Sinks }
  readonly report: (code: Code, rule: Rule) => void
  readonly resolve: (path: string) => string | null
  readonly runSink: (sink: Sink, input: Stream) => void
}

/** The effects of a program on files: they are judged, and they update what is known of the files. */
export function readFile(path: Arg, host: Host): Stream {
  const resolved = host.resolve(path.text)
  // The unknown part may name a secret.
  const named = resolved ?? host.resolve(path.text.replaceAll(unknownMark, '*'))
  if (path.text !== unknownMark) host.gathered.findings.path(named, 'read')
  const effect = effectOfReading(named, host.state)
  if (effect !== null && !host.gathered.findings.permits(resolved, 'read', effect)) host.report(...effect)
  return contentOf(resolved, path, effect !== null, host.state)
}

export function writeFile(path: Arg, content: Stream, host: Host): void {
  const resolved = host.resolve(path.text)
  const sink = resolved === null ? undefined : host.gathered.sinks.at(resolved)
  if (sink !== undefined) {
    host.runSink(sink, content)
    return
  }
  host.gathered.findings.path(resolved, 'write')
  if (resolved !== null && /^\/dev\/(tcp|udp)\//.test(resolved) && hasTaint(content, taints.secret))
    host.report('D2', 'credential-exfil')
  const effect = effectOfWriting(resolved, content, host.state)
  if (effect !== null && !host.gathered.findings.permits(resolved, 'write', effect)) host.report(...effect)
  if (resolved !== null && !resolved.startsWith('/dev/')) keep(resolved, content, host.state)
}

/** A path that is known in part may be that of several files. */
function keep(path: string, content: Stream, { files }: PolicyState): void {
  const before = isPattern(path) ? files.get(path) : undefined
  files.set(path, before === undefined ? content : joined([before, content]))
}

export function removeFile(path: Arg, host: Host): void {
  const resolved = host.resolve(path.text)
  host.gathered.findings.path(resolved, 'remove')
  const effect = effectOfRemoval(resolved, host.state)
  if (effect !== null) host.report(...effect)
  if (resolved !== null) host.state.files.delete(resolved)
}
