import type { OpenPolicyTerminal } from '../../contracts/policy/policy.ts'
import { judge, judgeWrites, newSession } from './judge.ts'
import { baseName } from './paths.ts'
import { warmUpLines } from './warm-up.ts'

const warmUpRounds = 4 // some 50 ms; more changes little

/** Judges a few lines, so that the next is judged by code that has run before. */
export function warmUp(): void {
  const surroundings = { cwd: '/workspace/app', home: '/home/user', user: 'user', workspace: '/workspace/app' }
  for (let round = 0; round < warmUpRounds; round++)
    for (const { shell, line } of warmUpLines) judge(line, newSession(surroundings), { profile: 'restricted', shell })
}

/** A terminal of which only the policy knows: lines are judged, and nothing runs. */
export const openPolicyTerminal: OpenPolicyTerminal = ({ profile, shell, cwd, home }) => {
  let session = newSession({ cwd, home, user: baseName(home), workspace: cwd })
  return {
    judge: (command) => {
      const situation = { profile, shell }
      const judged =
        typeof command === 'string' ? judge(command, session, situation) : judgeWrites(command, session, situation)
      session = judged.session
      const { verdict, rule, resolved, reason } = judged.judgement
      return { verdict, rule, resolved, reason }
    },
  }
}
