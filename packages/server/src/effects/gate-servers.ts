/**
 * Servers that carry out commands outside the terminals that give them: the gate asks before a program connects to one. What they do themselves passes
 * no gate. A server that a program of the terminal has started is behind its gate, and nothing is asked about it.
 */

export interface GateServer {
  readonly name: string
  /** The path of its socket; absolute. With `*` at its end it stands for all that begin so. */
  readonly path: string
}

interface ServerPlaces {
  readonly home: string
  /** The user’s number. */
  readonly user: number
  readonly env: Readonly<Record<string, string>>
}

/** `~`: the home; `$RUN`: the folder for sockets of the user; `$UID`: the user’s number. */
const sockets: Readonly<Record<string, readonly string[]>> = {
  docker: [
    '/var/run/docker.sock',
    '$RUN/docker.sock',
    '~/.docker/run/docker.sock',
    '~/.docker/desktop/docker.sock',
    '~/.colima/*',
  ],
  podman: ['/run/podman/podman.sock', '$RUN/podman/podman.sock'],
  containerd: ['/run/containerd/containerd.sock', '/run/k3s/containerd/containerd.sock', '/run/crio/crio.sock'],
  incus: ['/var/lib/incus/unix.socket', '/var/lib/lxd/unix.socket', '/var/snap/lxd/common/lxd/unix.socket'],
  libvirt: ['/run/libvirt/libvirt-sock', '/run/libvirt/virtqemud-sock', '$RUN/libvirt/libvirt-sock'],
  systemd: ['/run/systemd/private', '/run/systemd/io.systemd.Manager', '$RUN/systemd/private'],
  snapd: ['/run/snapd.socket'],
  'D-Bus': ['/run/dbus/system_bus_socket', '$RUN/bus'],
  tmux: ['/tmp/tmux-$UID/*'],
  screen: ['/run/screen/S-*', '~/.screen/*'],
  zellij: ['$RUN/zellij/*', '/tmp/zellij-$UID/*'],
}

/** Variables that name a socket elsewhere. */
const named: readonly (readonly [server: string, variable: string, socket: RegExp])[] = [
  ['docker', 'DOCKER_HOST', /^unix:\/\/(\/.*)$/],
  ['podman', 'CONTAINER_HOST', /^unix:\/\/(\/.*)$/],
  ['containerd', 'CONTAINERD_ADDRESS', /^(\/.*)$/],
  ['D-Bus', 'DBUS_SESSION_BUS_ADDRESS', /unix:path=(\/[^,;]*)/],
]

export function gateServers({ home, user, env }: ServerPlaces): readonly GateServer[] {
  const run = env['XDG_RUNTIME_DIR'] || `/run/user/${user}`
  const at = (path: string) => path.replace('$RUN', run).replace('$UID', `${user}`).replace(/^~/, home)
  const known = Object.entries(sockets).flatMap(([name, paths]) => paths.map((path) => ({ name, path: at(path) })))
  const fromVariables = named.flatMap(([name, variable, socket]) => {
    const path = socket.exec(env[variable] ?? '')?.[1]
    return path === undefined ? [] : { name, path }
  })
  const folder = env['TMUX_TMPDIR']
  const elsewhere = folder?.startsWith('/') ? [{ name: 'tmux', path: `${folder}/tmux-${user}/*` }] : []
  return [...known, ...fromVariables, ...elsewhere].filter(({ path }) => path.startsWith('/') && !path.includes('\n'))
}
