/**
 * The name of the terminal of an agent in a slot, as termtile names its sessions.
 *
 * @example slotName('default', 0) // 'termtile-default-0'
 */
export function slotName(workspace: string, slot: number): string {
  return `termtile-${workspace}-${slot}`
}
