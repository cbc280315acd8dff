/** Dragging a terminal of a list onto a slot. */

import { rows } from '../store/store.ts'

/** The type of the dragged data: the id of a terminal. */
export const terminalType = 'application/x-agentpty-terminal'

/** Returns the handler of the start of a drag. */
export function dragTerminal(terminalId: string): (event: DragEvent) => void {
  return ({ dataTransfer }) => dataTransfer?.setData(terminalType, terminalId)
}

/** Returns the dropped terminal; null if this daemon has none of that id. */
export function terminalIn({ dataTransfer }: DragEvent): string | null {
  const dropped = dataTransfer?.getData(terminalType)
  return rows.value?.find(({ terminalId }) => terminalId === dropped)?.terminalId ?? null
}
