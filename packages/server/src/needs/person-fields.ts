/** The person who has taken a terminal over, and the work of a person who has given it back. */

import { lineOfCommand, type Session } from '@agentpty/engine/session'
import { defined } from '@agentpty/protocol'
import type { HandBack } from '@agentpty/protocol/session'

const commandsShownMax = 5
const commandCharactersMax = 80

export type PersonsWork = Pick<Session, 'info' | 'commands' | 'log' | 'timeline'>

export function personOf(session: PersonsWork) {
  const { lease, handBack } = session.info
  return defined({
    takenBy: lease.mayType === 'person' && lease.holder !== null ? nameOf(lease.holder, lease.reason) : undefined,
    handedBack: handBack === null ? undefined : handBackText(handBack, session),
  })
}

const nameOf = (holder: string, reason: string | null) => (reason === null ? holder : `${holder}: ${reason}`)

function handBackText({ by, how, since, until, takenAt, returnedAt, removed }: HandBack, session: PersonsWork): string {
  const had = `${by} had this terminal for ${duration(returnedAt - takenAt)}${how === 'ended' ? ', until its time was over' : ''}.`
  const ran = session.commands.commands.filter(({ outputStart }) => outputStart >= since && outputStart <= until)
  const shown = ran.slice(-commandsShownMax).map((command) => {
    const text = JSON.stringify(cut(lineOfCommand(command, session)))
    return command.exitCode === null ? text : `${text} (exit ${command.exitCode})`
  })
  const left = ran.length > shown.length ? `, the last ${shown.length}` : ''
  const work = ran.length === 0 ? '' : ` Commands run: ${ran.length}${left}: ${shown.join(', ')}.`
  const lost = removed === null ? '' : ` Taken back of what you typed: ${JSON.stringify(cut(removed))}.`
  return `${had}${work}${lost} What came meanwhile is from ${since} on.`
}

const cut = (text: string) =>
  text.length > commandCharactersMax ? `${text.slice(0, commandCharactersMax)}[...]` : text

function duration(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1000))
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
