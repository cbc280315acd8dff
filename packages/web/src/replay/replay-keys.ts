/** The keys of the shown player. They are separate from the player, which is loaded with the first recording. */

import type { Player } from './player.ts'

/** The player that receives keys; null while there is none. */
export const playing: { player: Pick<Player, 'press'> | null } = { player: null }

/** Returns true if the shown player has a binding for the key. */
export const replayKey = (key: string): boolean => playing.player?.press(key) ?? false
