/** What a program does with files: by which it is judged, and what is known of them afterwards. */

import { isPattern } from '../places/paths.ts'
import type { PolicyState } from '../state/policy-state.ts'
import type { Code, Rule } from '../verdict.ts'
import { contentOf, effectOfReading, effectOfRemoval, effectOfWriting } from './effects.ts'
import type { Findings } from './findings.ts'
import type { Sink, Sinks } from './sinks.ts'
import { type Arg, hasTaint, joined, type Stream, taints, unknownMark } from './value.ts'

interface Host {
  readonly state: PolicyState
  readonly gathered: { readonly findings: Findings; readonly sinks: Sinks }
  readonly report: (code: Code, rule: Rule) => void
  readonly resolve: (path: string) => string | null
  readonly runSink: (sink: Sink, input: Stream) => void
}

export function readFile(path: Arg, host: Host): Stream {
  const resolved = host.resolve(path.text)
  // Whatever stands for the unknown part, a secret may be among it.
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
