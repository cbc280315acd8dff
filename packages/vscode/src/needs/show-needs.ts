/** The needs of persons in this window: their list, and the questions that answer them. */

import { systemClock } from '@agentpty/engine/system-clock'
import type { Overview } from '@agentpty/protocol/overview'
import type { WireClient } from '@agentpty/protocol/wire'
import * as vscode from 'vscode'
import type { Observable } from '../link/observable.ts'
import { ReadOnlyTexts } from '../parts/read-only-texts.ts'
import { Answering } from './answering.ts'
import { needTooltip } from './need-tooltip.ts'
import { NeedsView } from './needs-view.ts'

export interface ShowNeedsParts {
  readonly client: Observable<WireClient | null>
  readonly overview: Observable<Overview | null>
  readonly show: (terminalId: string, preserveFocus: boolean) => void
}

export function showNeeds({ client, overview, show }: ShowNeedsParts): vscode.Disposable & { answering: Answering } {
  const texts = new ReadOnlyTexts()
  const answering = new Answering({
    client: () => client.peek(),
    overview,
    clock: systemClock,
    show: (id) => show(id, true),
    read: (title, text) => void texts.show(title, text),
  })
  const view = new NeedsView({
    overview,
    clock: systemClock,
    answer: (need) => void answering.ask(need),
    show: (id) => show(id, false),
    tooltip: (need) => needTooltip(client.peek(), need),
  })
  return Object.assign(vscode.Disposable.from(view, texts), { answering })
}
