/** The content of a judgement. Every rule has a code, and a profile turns the code into a verdict; the strictest of all findings counts. */

import type { PolicyAnswer, PolicyProfile, PolicyVerdict, RuleSource } from '@agentpty/protocol/policy'
import { shownText } from './walk/value.ts'

export type ProfileName = PolicyProfile
export type Verdict = PolicyVerdict

/**
 * A: nothing speaks against it. Q1: bounded, but a person should know. Q2: cannot be resolved, outlives the session, or touches what
 * guards the machine. D1: opens unbounded power. D2: the floor, which no profile and no approval lowers.
 */
const severities = ['A', 'Q1', 'Q2', 'D1', 'D2'] as const
export type Code = (typeof severities)[number]

export const verdicts: Readonly<Record<ProfileName, Readonly<Record<Code, Verdict>>>> = {
  standard: { A: 'allow', Q1: 'ask', Q2: 'ask', D1: 'deny', D2: 'deny' },
  trusted: { A: 'allow', Q1: 'allow', Q2: 'ask', D1: 'ask', D2: 'deny' },
  // For machines that may be lost: only the floor holds.
  off: { A: 'allow', Q1: 'allow', Q2: 'allow', D1: 'allow', D2: 'deny' },
  // Commands of code A must also be on the read-only list.
  restricted: { A: 'allow', Q1: 'deny', Q2: 'deny', D1: 'deny', D2: 'deny' },
}

// biome-ignore format: a row is a line.
/** A sentence about the line for each rule, for persons and models, and the next move of the model whose line it stopped. */
export const sentences = {
  none: ['Nothing speaks against it'],
  'root-wipe': ['It empties or takes over a directory that the machine needs', 'name the one file or folder you mean'],
  'disk-destruction': ['It overwrites a disk', 'write to a file in the workspace instead'],
  'fork-bomb': ['It starts processes without end', 'start a fixed number of them'],
  'power-state': ['It stops the machine or all its processes', 'leave that to a person'],
  'remote-code': ['It runs code that comes from the network', 'download it to a file, read it, then run that file'],
  'encoded-payload': ['It runs the output of a decoder, which cannot be read before', 'decode to a file, read it, then run it as plain text'],
  'credential-exfil': ['It sends a secret over the network', 'leave the secret where it is'],
  'credential-read': ['Its output shows a secret', 'use the key by a tool instead of reading it'],
  metadata: ['It asks the cloud for the credentials of this machine', 'use the credentials you were given'],
  privilege: ['It changes the machine, or needs more rights than an agent has', 'ask the person, or work inside the workspace'],
  'root-shell': ['It opens unbounded power', 'run the one command that needs it instead'],
  'no-elevation': ['sudo and su fail in a terminal with a gate', 'open a terminal with gate "off", which a person is asked about, and run it there'],
  ungated: ['It opens a terminal in which no gate sees what programs do', 'leave its gate as it is, or wait for the answer'],
  'self-approve': ['It changes approvals or the profile of the policy', 'ask the person, who alone may change them'],
  'self-tampering': ['It touches what guards this session', 'leave it alone, or ask the person'],
  unresolved: ['The programs or files that it uses are not known before it runs', 'write the command and the paths out'],
  unparsed: ['It cannot be parsed, or it is not finished', 'send one complete command'],
  'unread-shell': ['It is a line of PowerShell or cmd, which are not read', 'run it in bash, send one reading command in plain words, or ask the person'],
  limits: ['It is too long or too deep to judge', 'split it into smaller commands'],
  'obfuscated-text': ['It holds characters that show something else than runs', 'type it in plain ASCII'],
  deletion: ['It deletes files', 'name only what you made yourself'],
  'smuggled-exec': ['It makes a program run another one by an option or a setting', 'run that command by itself'],
  shadowing: ['It gives an existing command a new meaning', 'choose a name of its own'],
  persistence: ['Its effect outlives this session', 'ask the person'],
  'outside-write': ['It writes outside the workspace', 'write inside it or below /tmp'],
  'destructive-vcs': ['It discards or rewrites history or work', 'commit it to a branch first, or leave it as it is'],
  'destructive-infra': ['It changes shared state that cannot be brought back', 'list first what it would change'],
  'foreign-package': ['It installs code from outside the default registry', 'install it from there if it has it'],
  'inline-code': ['Its inline program starts processes or evaluates text', 'run the command directly'],
  typing: ['It types into a program of a kind that needs a permission of its own', 'run a command at the prompt instead, or ask the person'],
  'not-on-list': ['The profile allows only commands that read', 'use cat, ls, grep, git log and the like, each with plain words'],
  'deny-rule': ['A rule of the user or the repository forbids it', 'do it in another way, or ask the person'],
  'ask-rule': ['A rule of the user or the repository needs an approval of it first'],
  'allow-rule': ['A rule of the user allows it'],
  'path-rule': ['A rule of the user or the repository guards this file', 'work with others, or ask the person'],
  'url-rule': ['A rule of the user or the repository guards this address', 'use another, or ask the person'],
  'tool-rule': ['A rule of the user or the repository keeps this tool from agents', 'use another, or ask the person'],
  'broken-rules': ['A policy file here cannot be read, so all but reading needs an approval', 'ask the person to mend it'],
} as const satisfies Readonly<Record<string, readonly [string, string?]>>
export type Rule = keyof typeof sentences

export interface Finding {
  readonly code: Code
  readonly rule: Rule
  /** The simple command that it is about, as far as it could be resolved. */
  readonly resolved: string
  /** The rule of a person or a repository that says so; left out for those that are built in. */
  readonly source?: RuleSource
}

export const nothingFound: Finding = { code: 'A', rule: 'none', resolved: '' }

export function isStricter(one: Code, other: Code): boolean {
  return severities.indexOf(one) > severities.indexOf(other)
}

/** Rules by which a file forbids what may be allowed where it says nothing. */
const ofFiles: ReadonlySet<Rule> = new Set<Rule>(['deny-rule', 'path-rule', 'url-rule'])

/**
 * The stricter one of two findings, or of two judgements. What a rule allows says more than that nothing was found, and the floor more
 * than a file: without the file the line would not run either.
 */
export function strictest<Found extends Pick<Finding, 'code' | 'rule'>>(one: Found, other: Found): Found {
  if (one.rule === 'none') return other
  if (one.code === 'D2' && other.code === 'D2' && ofFiles.has(one.rule) && !ofFiles.has(other.rule)) return other
  return isStricter(other.code, one.code) ? other : one
}

export interface Judgement extends Omit<PolicyAnswer, 'rule'> {
  readonly code: Code
  readonly rule: Rule
}

export function judgementOf({ code, rule, resolved, source }: Finding, profile: ProfileName): Judgement {
  return {
    verdict: verdicts[profile][code],
    code,
    rule,
    resolved: shownText(resolved),
    reason: `${sentences[rule].join('; ')}.`,
    personReason: `${sentences[rule][0]}.`,
    source: source ?? 'built-in',
  }
}
