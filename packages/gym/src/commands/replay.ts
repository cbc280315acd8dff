/** `agentpty gym replay`: a trajectory played again, and where it differs. */

import { type Command, cell, exitCode, textFlag, withClient } from '@agentpty/cli'
import type { ReplayDifference, ReplayReport } from '@agentpty/protocol/gym'

const shownMax = 10
const shownCharacters = 160

export const replayTrajectory: Command = {
  name: 'gym replay',
  usage: 'TRAJECTORY',
  summary: 'replay a trajectory, and report where the screens differ',
  group: 'gym',
  words: [1, 1],
  flags: {
    task: { type: 'string', value: 'DIR', help: 'the task, if the trajectory does not name it' },
    'legacy-sleep': { type: 'boolean', help: 'wait as long as each command of Terminus specifies' },
  },
  notes: [
    'TRAJECTORY: the folder of a trial, a trajectory.json (agentpty’s or Terminus-2’s), or a file of actions as JSON lines.',
    'Exit code 0: the screens are equal; 1: they differ.',
  ],
  examples: ['agentpty gym replay jobs/2026-11-25__10-00-00/vim-block-edit-s1__k3Pz0aQ'],
  run: async ({ options, words: [source = ''], flags, json }) => {
    const request = { source, task: textFlag(flags, 'task'), legacySleep: flags['legacy-sleep'] === true }
    const room = await options.gym()
    const report = await withClient(options, (client) => room.replay(client, request))
    await options.print(json ? `${JSON.stringify(report)}\n` : replayText(report))
    return report.differences.length === 0 && report.isSameScreen !== false ? exitCode.ok : exitCode.failed
  },
}

export function replayText(report: ReplayReport): string {
  const { steps, agent, durationMs, recordedMs, differences, isSameScreen } = report
  const before = recordedMs === null ? '' : ` (recorded: ${(recordedMs / 1_000).toFixed(1)} s)`
  const screen =
    isSameScreen === null
      ? ''
      : isSameScreen
        ? ' The screen at the end is the same.'
        : ' The screen at the end is another one.'
  const verdict =
    differences.length === 0
      ? 'Nothing differs.'
      : `${differences.length} step${differences.length === 1 ? ' differs' : 's differ'}.`
  const shown = differences.slice(0, shownMax).map(differenceText).join('')
  const more = differences.length > shownMax ? `… and ${differences.length - shownMax} more\n` : ''
  return `${steps} steps of ${JSON.stringify(agent).slice(1, -1)} in ${(durationMs / 1_000).toFixed(1)} s${before}. ${verdict}${screen}\n${shown}${more}`
}

const differenceText = ({ step, recorded, shown }: ReplayDifference): string =>
  `step ${step}\n  - ${cell(recorded, shownCharacters)}\n  + ${cell(shown, shownCharacters)}\n`
