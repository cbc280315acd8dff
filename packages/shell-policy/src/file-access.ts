/** What a program does with files: by which it is judged, and what is known of them afterwards. */

import { contentOf, effectOfReading, effectOfRemoval, effectOfWriting } from './effects.ts'
import type { Findings } from './findings.ts'
import { isPattern } from './paths.ts'
import type { PolicyState } from './policy-state.ts'
import type { Sinks } from './sinks.ts'
import { type Arg, hasTaint, joined, type Stream, taints, unknownMark } from './value.ts'
import type { Code, Rule } from './verdict.ts'

interface Host {
  readonly state: PolicyState
  readonly report: (code: Code, rule: Rule) => void
  readonly resolve: (path: string) => string | null
}

export class FileAccess {
  readonly #host: Host
  readonly #findings: Findings
  readonly #sinks: Sinks

  constructor(host: Host, findings: Findings, sinks: Sinks) {
    this.#host = host
    this.#findings = findings
    this.#sinks = sinks
  }

  read(path: Arg): Stream {
    const resolved = this.#host.resolve(path.text)
    // Whatever stands for the unknown part, a secret may be among it.
    const named = resolved ?? this.#host.resolve(path.text.replaceAll(unknownMark, '*'))
    if (path.text !== unknownMark) this.#findings.path(named, 'read')
    const effect = effectOfReading(named, this.#host.state)
    if (effect !== null && !this.#findings.permits(resolved, 'read', effect)) this.#host.report(...effect)
    return contentOf(resolved, path, effect !== null, this.#host.state)
  }

  write(path: Arg, content: Stream): void {
    const resolved = this.#host.resolve(path.text)
    const sink = resolved === null ? undefined : this.#sinks.at(resolved)
    if (sink !== undefined) {
      sink(content)
      return
    }
    this.#findings.path(resolved, 'write')
    if (resolved !== null && /^\/dev\/(tcp|udp)\//.test(resolved) && hasTaint(content, taints.secret))
      this.#host.report('D2', 'credential-exfil')
    const effect = effectOfWriting(resolved, content, this.#host.state)
    if (effect !== null && !this.#findings.permits(resolved, 'write', effect)) this.#host.report(...effect)
    if (resolved !== null && !resolved.startsWith('/dev/')) this.#keep(resolved, content)
  }

  /** A path that is known in part may be that of several files. */
  #keep(path: string, content: Stream): void {
    const before = isPattern(path) ? this.#host.state.files.get(path) : undefined
    this.#host.state.files.set(path, before === undefined ? content : joined([before, content]))
  }

  remove(path: Arg): void {
    const resolved = this.#host.resolve(path.text)
    this.#findings.path(resolved, 'remove')
    const effect = effectOfRemoval(resolved, this.#host.state)
    if (effect !== null) this.#host.report(...effect)
    if (resolved !== null) this.#host.state.files.delete(resolved)
  }
}
