import { invalidInput } from '@agentpty/protocol'
import { type Cast, firstShownMs } from '@agentpty/protocol/recording'
import { type Command, type CommandCall, exitCode, textFlag } from '../command.ts'
import { findCast, idleFlag, speedFlag } from '../replay/find-cast.ts'
import { play } from '../replay/player.ts'

export const replayRecording: Command = {
  name: 'replay',
  usage: 'FILE|ID',
  summary: 'play a recording, a .cast file, or the kept output of a terminal',
  group: 'records',
  words: [1, 1],
  completes: 'terminal',
  flags: {
    speed: { type: 'string', value: 'N', help: 'play N times as fast; default 1' },
    idle: { type: 'string', value: 'TIME', help: 'shorten longer pauses to this; default 2s' },
    from: { type: 'string', value: 'N', help: 'begin at the Nth command' },
  },
  notes: [
    'Keys: Space pauses; ← → move by 5 s; Home, End go to the beginning and the end; n, p go to the next and the previous command; +, - change the speed; q leaves.',
  ],
  examples: [
    'agentpty replay term-12',
    'agentpty replay build.cast --speed 4 --idle 500ms',
    'agentpty replay build --from 3',
  ],
  run: async (call) => {
    const { options, words, flags } = call
    const { terminal, clock, print } = options
    const room = await options.recordings()
    const cast = await findCast(call, room, words[0] ?? '')
    if (terminal === null)
      throw invalidInput(
        'A recording is played in a terminal, and this is none.',
        'Take its text: agentpty export ID --to out.txt',
      )
    const screen = room.screen(cast)
    try {
      const speed = speedFlag(flags)
      const idleMs = idleFlag(flags)
      const from = fromOf(cast, call)
      await play({ cast, screen, clock, terminal, print, speed, idleMs, from })
    } finally {
      screen.close()
    }
    return exitCode.ok
  },
}

function fromOf({ markers, events }: Cast, { flags }: CommandCall): number {
  const text = textFlag(flags, 'from')
  if (text === undefined) return firstShownMs(events)
  const commands = markers.filter(({ isCommand }) => isCommand)
  const found = /^\d{1,6}$/.test(text) ? commands[Number(text) - 1] : undefined
  if (found !== undefined) return found.at
  throw invalidInput(`--from ${text}: there are ${commands.length} commands in it.`, 'They count from 1.')
}
