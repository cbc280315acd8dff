/** All programs that have a rule of their own, by name. */

import type { Programs } from '../walk/shell.ts'
import { archivePrograms } from './archives.ts'
import { builtins } from './builtins.ts'
import { containerPrograms } from './containers.ts'
import { filePrograms } from './files.ts'
import { fishPrograms } from './fish.ts'
import { gitPrograms } from './git.ts'
import { interpreters } from './interpreters.ts'
import { launchers } from './launchers.ts'
import { listPrograms } from './lists.ts'
import { machinePrograms } from './machine.ts'
import { makePrograms } from './make.ts'
import { modePrograms } from './modes.ts'
import { multiplexers } from './multiplexers.ts'
import { networkPrograms } from './network.ts'
import { ownPrograms } from './own.ts'
import { packageRunners } from './packages.ts'
import { remoteShells } from './remote-shells.ts'
import { sedPrograms } from './sed.ts'
import { setupPrograms } from './setup.ts'
import { shells } from './shells.ts'
import { textPrograms } from './text.ts'
import { wrappers } from './wrappers.ts'
import { zshPrograms } from './zsh.ts'

/**
 * Programs that run commands, or change files, where no gate of this terminal sees it: on another machine, in a container, in a server that
 * was there before.
 */
export const outsideTree: ReadonlySet<string> = new Set([
  ...[containerPrograms, remoteShells, multiplexers, ownPrograms].flatMap(Object.keys),
  ...'lxc incus distrobox toolbox multipass vagrant wsl adb ansible pssh parallel-ssh salt gcloud parallel rsync rclone'.split(
    ' ',
  ),
  ...'systemd-run run0 systemctl at batch crontab flatpak-spawn machinectl busctl dbus-send gdbus'.split(' '),
  ...'zellij dtach abduco kitty wezterm gnome-terminal kgx konsole tilix terminator emacsclient nvr'.split(' '),
])

/** A later row goes before an earlier one. */
export const programs: Programs = {
  ...wrappers,
  ...machinePrograms,
  ...networkPrograms,
  ...remoteShells,
  ...textPrograms,
  ...listPrograms,
  ...filePrograms,
  ...modePrograms,
  ...archivePrograms,
  ...sedPrograms,
  ...interpreters,
  ...shells,
  ...launchers,
  ...containerPrograms,
  ...multiplexers,
  ...packageRunners,
  ...makePrograms,
  ...gitPrograms,
  ...setupPrograms,
  ...builtins,
  ...fishPrograms,
  ...zshPrograms,
  ...ownPrograms,
}
