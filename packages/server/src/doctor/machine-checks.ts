import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, statSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { Client, TermError } from '@agentpty/protocol'
import type { PolicyFileState, PolicyProblem } from '@agentpty/protocol/policy'
import type { FindingMark } from '@agentpty/protocol/setup'
import { isExecutable, publicProblem } from '../files/index.ts'
import { heldElsewhere, readLock, readToken, stateOf, thisProcess, unreachable } from '../state/index.ts'
import { type Check, ok, type Seen, type Subject, trippedOver, warn, wrong } from './check.ts'

async function journalIsWhole({ audit, userId }: Pick<Subject, 'audit' | 'userId'>): Promise<Seen> {
  const stat = statSync(audit.folder, { throwIfNoEntry: false })
  if (stat === undefined) return ok('nothing is recorded yet')
  if (stat.uid !== userId) return wrong(`${audit.folder} belongs to another user`, 'Move it away.')
  if ((stat.mode & 0o077) !== 0) return wrong(`other users may look into ${audit.folder}`, `chmod 700 ${audit.folder}`)
  const { broken, records, last } = await audit.verify()
  if (broken === null) return ok(`${records} records, the last is ${last ?? 'none'}`)
  return wrong(
    `broken at record ${broken.n}: ${broken.what} (${broken.file}:${broken.line})`,
    `A process has changed it, or the disk has. See: agentpty audit --verify. A new one begins when ${audit.folder} is moved away.`,
  )
}

/** The audit journal: whether it is as it was written, its user’s alone, and still written. */
export async function journalIsWritten(daemon: Client): Promise<Seen> {
  const { folder, records, waiting, lost, problem } = (await daemon.control.status()).audit
  const count = lost === 0 ? '' : `; ${lost} records are lost`
  if (problem !== null)
    return wrong(`${folder} cannot be written: ${problem}; ${waiting} records wait${count}`, 'Make room on the disk.')
  return lost === 0
    ? ok(`record ${records} was the last`)
    : warn(`it is written again${count}`, 'Nothing needs to be done: a record says how many.')
}

export const machineChecks: readonly Check[] = [
  { name: 'node', advice: 'Install Node.js 20.19 or newer.', examine: () => nodeVersion(process.versions.node) },
  {
    name: 'ptyhost',
    advice: 'Run `npm run build` in the checkout, or install the package again.',
    examine: async ({ hostProgram }) => hostRuns(await hostProgram()),
  },
  { name: 'sandbox', advice: 'Open terminals without a sandbox.', examine: sandboxHolds },
  { name: 'gate', advice: 'Leave gate: off below policy.', examine: gateWorks },
  { name: 'folder', advice: 'Make it yours, or set AGENTPTY_HOME to another one.', examine: stateFolderIsOurs },
  { name: 'socket folder', advice: 'Make it yours, or set AGENTPTY_HOME to another one.', examine: runFolderIsPrivate },
  { name: 'lock', advice: 'Make it readable for yourself.', examine: lockIsOurs },
  { name: 'token', advice: 'Make it readable for yourself.', examine: tokenIsPrivate },
  { name: 'scopes', advice: 'Make them readable for yourself.', examine: scopesArePrivate },
  {
    name: 'configuration',
    advice: 'Mend it, or remove it; `agentpty config example` shows the allowed contents.',
    examine: configurationIsRight,
  },
  { name: 'audit', advice: 'Make it readable for yourself.', examine: journalIsWhole },
  { name: 'shell', advice: 'Set shell in config.yaml.', examine: shellIsThere },
]

export function nodeVersion(version: string): Seen {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isTooOld = major < 20 || (major === 20 && minor < 19)
  return isTooOld ? wrong(`v${version} is too old`, 'Install Node.js 20.19 or newer.') : ok(`v${version}`)
}

function hostRuns(program: string): Seen {
  statSync(program)
  try {
    execFileSync(program, [], { stdio: 'pipe' })
  } catch (error) {
    // Without arguments it prints its usage and exits with 2.
    if (!(error instanceof Error && 'status' in error && error.status === 2)) throw error
  }
  return ok(program)
}

/** A sandbox is needed only where the settings want one. */
export async function sandboxHolds({
  trySandbox,
  explainConfig,
  hostProgram,
}: Pick<Subject, 'trySandbox' | 'explainConfig' | 'hostProgram'>): Promise<Seen> {
  const problem = await trySandbox()
  if (problem === null) return ok(`bubblewrap${landlockOf(await hostProgram())}`)
  const policy = explainConfig().find(({ key }) => key === 'policy')?.value
  const isWanted = policy !== null && typeof policy === 'object' && 'sandbox' in policy && Boolean(policy.sandbox)
  return { mark: isWanted ? 'wrong' : 'hint', found: problem.what, advice: problem.advice }
}

/** A gate is needed only where the settings want one. */
async function gateWorks({
  explainConfig,
  hostProgram,
}: Pick<Subject, 'explainConfig' | 'hostProgram'>): Promise<Seen> {
  const answer = execFileSync(await hostProgram(), ['--gate-check'], { encoding: 'utf8' }).trim()
  if (answer === 'works') return ok('system calls can be seen')
  const found = `no gate: ${answer}`
  const advice = 'Terminals open without one, and the policy for command lines decides alone.'
  const policy = explainConfig().find(({ key }) => key === 'policy')?.value
  const isWanted = policy !== null && typeof policy === 'object' && 'gate' in policy && policy.gate !== 'off'
  return isWanted ? warn(found, advice) : { mark: 'hint', found, advice }
}

function landlockOf(program: string): string {
  const version = Number(execFileSync(program, ['--landlock'], { encoding: 'utf8' }))
  return version === 0 ? '; this kernel has no Landlock as a second layer' : ` and Landlock ${version}`
}

export function stateFolderIsOurs({ paths: { stateFolder }, userId }: Pick<Subject, 'paths' | 'userId'>): Seen {
  const stat = statSync(stateFolder, { throwIfNoEntry: false })
  if (stat === undefined) return ok(`${stateFolder} (not there yet)`)
  if (stat.uid !== userId) return wrong(`${stateFolder} belongs to another user`, `chown -R "$(id -un)" ${stateFolder}`)
  if ((stat.mode & 0o022) !== 0) return wrong(`other users may write in ${stateFolder}`, `chmod 700 ${stateFolder}`)
  return ok(stateFolder)
}

export function runFolderIsPrivate({ paths: { runFolder }, userId }: Pick<Subject, 'paths' | 'userId'>): Seen {
  const stat = lstatSync(runFolder, { throwIfNoEntry: false })
  if (stat === undefined) return ok(`${runFolder} (not there yet)`)
  const problem = publicProblem(stat, userId)
  if (problem === null) return ok(runFolder)
  const isOpen = stat.isDirectory() && stat.uid === userId
  return wrong(
    `${runFolder} ${problem.what}`,
    isOpen ? `chmod 700 ${runFolder}` : `${problem.advice}, or set AGENTPTY_HOME to another folder.`,
  )
}

/** Which daemon owns the state folder. */
async function lockIsOurs({ paths, clock }: Pick<Subject, 'paths' | 'clock'>): Promise<Seen> {
  const lock = readLock(paths.lock)
  if (lock === null) return ok('free: no daemon runs')
  const state = await stateOf(lock, thisProcess(clock))
  if (state === 'foreign') return refused(heldElsewhere(paths.lock, lock))
  if (state === 'unreachable') return refused(unreachable(paths.lock, lock))
  const of = `${paths.lock}, of pid ${lock.pid} since ${lock.startedAt}`
  return ok(state === 'serving' ? of : `${of}, which has ended; the next daemon takes it over`)
}

const refused = ({ message, hint }: TermError) => wrong(message, hint)

export function tokenIsPrivate({ paths: { token } }: Pick<Subject, 'paths'>): Seen {
  const stat = statSync(token, { throwIfNoEntry: false })
  if (stat === undefined) return ok('not made yet')
  const mode = (stat.mode & 0o777).toString(8)
  if (readToken(token) === null)
    return wrong(`${token} holds no token`, 'agentpty token makes one; then agentpty init --http --yes')
  if ((stat.mode & 0o077) === 0) return ok(`${token} (${mode})`)
  const advice = `chmod 600 ${token}; if another user may have read it: remove it, agentpty stop, agentpty init --http --yes`
  return wrong(`other users may open ${token} (${mode})`, advice)
}

/** Write access to the folder allows making tokens. Read access shows which scopes there are, and no token. */
export function scopesArePrivate({ paths: { scopes }, userId }: Pick<Subject, 'paths' | 'userId'>): Seen {
  const folder = lstatSync(scopes, { throwIfNoEntry: false })
  if (folder === undefined) return ok('none made yet')
  const revoke = 'if another user may have written there: agentpty token --list, and --revoke NAME what is not yours'
  const problem = publicProblem(folder, userId)
  if (problem !== null) {
    const isOpen = folder.isDirectory() && folder.uid === userId
    return wrong(`${scopes} ${problem.what}`, `${isOpen ? `chmod 700 ${scopes}` : problem.advice}; ${revoke}`)
  }
  const names = readdirSync(scopes)
  for (const name of names) {
    const file = lstatSync(join(scopes, name), { throwIfNoEntry: false })
    // Revoked at this moment.
    if (file === undefined) continue
    if (!file.isFile() || file.uid !== userId)
      return wrong(`${join(scopes, name)} is no file of yours`, `Remove it; ${revoke}`)
    const mode = (file.mode & 0o777).toString(8)
    if ((file.mode & 0o077) !== 0)
      return wrong(`other users may open ${join(scopes, name)} (${mode})`, `chmod 600 ${scopes}/*.json; ${revoke}`)
  }
  const made = names.filter((name) => !name.startsWith('.')).length
  return ok(`${made} in ${scopes}`)
}

function configurationIsRight({ explainConfig }: Subject): Seen {
  const set = explainConfig().filter(({ origin }) => origin !== 'default')
  const shown = set.map(({ key, value }) => (key === 'policy' ? key : `${key} ${value}`))
  return ok(set.length === 0 ? 'all as it comes' : shown.join(', '))
}

function shellIsThere({ explainConfig, env }: Pick<Subject, 'explainConfig' | 'env'>): Seen {
  const setting = explainConfig().find(({ key }) => key === 'shell')
  if (typeof setting?.value === 'string')
    return isProgram(setting.value, env)
      ? ok(setting.value)
      : wrong(`${setting.value} is not there`, `${setting.origin}: set shell to one that is.`)
  const { SHELL } = env
  if (SHELL === undefined || SHELL === '') return warn('$SHELL is not set; terminals get bash, or sh', 'Set $SHELL.')
  return isProgram(SHELL, env)
    ? ok(SHELL)
    : warn(`$SHELL is ${SHELL}, which is not there; terminals get bash, or sh`, 'Set $SHELL to one that is.')
}

function isProgram(name: string, env: Readonly<Record<string, string>>): boolean {
  return programPath(name, env) !== null
}

/** The program that a shell would find; null when there is none. */
export function programPath(name: string, env: Readonly<Record<string, string>>): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = name.includes('/') ? [name] : folders.map((folder) => join(folder, name))
  return candidates.find(isExecutable) ?? null
}

// The files that the rules of the policy come from: what is wrong in them, and who may write them.

const problemsMax = 20 // lines; `agentpty policy files` shows all

/** One line when all is well, and one for everything that is not. */
export function examinePolicy({ policyFiles, userId }: Pick<Subject, 'policyFiles' | 'userId'>): readonly Seen[] {
  try {
    const files = policyFiles().filter(({ state }) => state !== 'absent')
    const problems = files.flatMap((file) => [...file.problems.map(seenOf), ...writable(file, userId)])
    return problems.length > 0 ? problems.slice(0, problemsMax) : [ok(summaryOf(files))]
  } catch (error) {
    return [trippedOver(error, 'Mend it: agentpty policy files')]
  }
}

function summaryOf(files: readonly PolicyFileState[]): string {
  const rules = files.reduce((sum, file) => sum + file.rules, 0)
  return rules === 0
    ? 'as it is built in'
    : `${rules} rule${rules === 1 ? '' : 's'} of ${files.map(({ path }) => path).join(', ')}`
}

const marks: Readonly<Record<PolicyProblem['mark'], FindingMark>> = {
  wrong: 'wrong',
  ignored: 'hint',
  doubtful: 'warn',
}

function seenOf({ file, line, mark, found, advice }: PolicyProblem): Seen {
  return { mark: marks[mark], found: `${file}:${line}: ${found}`, advice }
}

/** Write access to the file, or to its folder, allows changing the rules. */
function writable({ path, kind }: PolicyFileState, userId: number): readonly Seen[] {
  return [path, dirname(path)].flatMap((name): readonly Seen[] => {
    const stat = statSync(name, { throwIfNoEntry: false })
    if (stat === undefined) return []
    const isForeign = stat.uid !== userId && stat.uid !== 0
    if (isForeign)
      return [(kind === 'user' ? wrong : warn)(`${name} belongs to another user`, 'Copy it, or remove it.')]
    // In a folder like /tmp only the owner of a file replaces it.
    const isShared = (stat.mode & 0o022) !== 0 && !(stat.isDirectory() && (stat.mode & 0o1000) !== 0)
    return isShared ? [warn(`other users may write ${name}`, `chmod go-w ${name}`)] : []
  })
}
