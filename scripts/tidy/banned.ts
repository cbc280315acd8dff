/** Calls and shapes that are not written here, each with what to write instead. */
import { isPackageSource, isTest, isTypeScript, type Problem, problemsAt, type SourceFile } from './source.ts'
import { viewsOf } from './views.ts'

interface Ban {
  readonly pattern: RegExp
  readonly instead: string
}

/** Time comes from the Clock port, so that tests can turn it. */
const timeBans: readonly Ban[] = [
  { pattern: /\bDate\.now\(/g, instead: 'Date.now() is banned; ask clock.now()' },
  { pattern: /\bperformance\.now\(/g, instead: 'performance.now() is banned; ask clock.now()' },
  { pattern: /\bsetTimeout\(/g, instead: 'setTimeout() is banned; use clock.callAt()' },
  { pattern: /\bsetInterval\(/g, instead: 'setInterval() is banned; use clock.callAt() again when it fires' },
  { pattern: /\bnew Date\(/g, instead: 'new Date() is banned; ask the Clock for the wall time' },
]

const timeHome = /\/system-clock\.ts$/

const testBans: readonly Ban[] = [
  { pattern: /\bsetTimeout\(/g, instead: 'a test does not sleep; wait for the condition, or advance the fake clock' },
  { pattern: /\bsetInterval\(/g, instead: 'a test does not poll; wait for the condition' },
  { pattern: /\.skip(If)?\(/g, instead: 'a skipped test is not a test; fix it or delete it' },
  { pattern: /\.only\(/g, instead: '.only( hides the other tests; remove it' },
  { pattern: /\.todo\(/g, instead: '.todo( asserts nothing; write the test or open an issue' },
]

const everywhereBans: readonly Ban[] = [
  {
    pattern: /\bcatch\s*(\([^)]*\)\s*)?\{\s*\}/g,
    instead: 'an empty catch hides a fault; say in a comment why it is safe',
  },
  {
    pattern: /(?:[:<|&]\s*|\bas\s+)any\b(?!\s*[:(.])/g,
    instead: '`any` switches the types off; write the type, or `unknown`',
  },
]

/** Nothing types without having passed the guards. */
const permitBan: Ban = {
  pattern: /\bas (?:unknown as )?(?:Permit|PermittedContext|Typist)\b/g,
  instead: 'only the pipeline makes permits; take the one of the call',
}

/** Where permits are made: for calls that passed the guards, and for tests of what stands below them. */
const permitHomes = /\/(?:server\/src\/call\/pipeline|engine\/src\/session\/testing\/fake-session)\.ts$/

const exportBan: Ban = {
  pattern: /^export default\b/gm,
  instead: 'no default exports; export it by the name of the file',
}

/** The timers module does in two words what the rules above forbid. */
const timersBan: Ban = {
  pattern: /^import .*from '(?:node:)?timers(?:\/promises)?'/gm,
  instead: 'timers are banned here; time comes from the Clock',
}

export function bannedRule(files: readonly SourceFile[]): Problem[] {
  return files.filter(isTypeScript).flatMap((file) => {
    const { bare, code } = viewsOf(file)
    const timed = isPackageSource(file) && !timeHome.test(file.path)
    return [
      ...(timed ? find(file, bare, timeBans) : []),
      ...(isTest(file) ? find(file, bare, testBans) : []),
      ...(permitHomes.test(file.path) ? [] : find(file, bare, [permitBan])),
      ...(timed || isTest(file) ? find(file, code, [timersBan]) : []),
      // A catch with only a comment inside is the explained kind, so this rule reads the text with comments.
      ...find(file, bare, everywhereBans).filter((problem) => !isExplained(file, problem)),
      ...(file.path.endsWith('.config.ts') ? [] : find(file, bare, [exportBan])),
    ]
  })
}

function find(file: SourceFile, view: string, bans: readonly Ban[]): Problem[] {
  return bans.flatMap(({ pattern, instead }) => problemsAt(file, view, pattern, instead))
}

function isExplained(file: SourceFile, problem: Problem): boolean {
  const [line = '', ...rest] = file.text.split('\n').slice(problem.line - 1)
  if (!/\bcatch\b/.test(line)) return false
  const block = [line.slice(line.indexOf('catch')), ...rest].join('\n')
  return /^catch\s*(\([^)]*\)\s*)?\{\s*(\/\/|\/\*)/.test(block)
}

/** A note for later must lead somewhere: `TODO(#12)` or `TODO #12`. */
export function todoRule(files: readonly SourceFile[]): Problem[] {
  const message = 'a note for later needs an issue number, like TODO(#12); or do it now'
  return files
    .filter((file) => /\.(ts|mjs|c|h|md)$/.test(file.path) && !file.path.startsWith('scripts/tidy'))
    .flatMap((file) => problemsAt(file, file.text, /\b(TODO|FIXME|XXX)\b(?!\s*\(?#\d+)/g, message))
}
