import { expect, test } from 'vitest'
import { gateServers } from './gate-servers.ts'

const pathsOf = (server: string, env: Readonly<Record<string, string>> = {}) =>
  gateServers({ home: '/home/ada', user: 1000, env })
    .filter(({ name }) => name === server)
    .map(({ path }) => path)

test.each<[string, Readonly<Record<string, string>>, string]>([
  ['docker', {}, '/var/run/docker.sock'],
  ['docker', {}, '/run/user/1000/docker.sock'],
  ['docker', {}, '/home/ada/.docker/run/docker.sock'],
  ['docker', { DOCKER_HOST: 'unix:///srv/d.sock' }, '/srv/d.sock'],
  ['podman', { XDG_RUNTIME_DIR: '/run/ada' }, '/run/ada/podman/podman.sock'],
  ['D-Bus', { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/tmp/bus,guid=1' }, '/tmp/bus'],
  ['tmux', {}, '/tmp/tmux-1000/*'],
  ['tmux', { TMUX_TMPDIR: '/srv' }, '/srv/tmux-1000/*'],
])('a socket of %s with %j is %s', (server, env, path) => {
  expect(pathsOf(server, env)).toContain(path)
})

test.each<[string, Readonly<Record<string, string>>]>([
  ['docker', { DOCKER_HOST: 'tcp://10.0.0.1:2375' }],
  ['docker', { DOCKER_HOST: 'unix://d.sock' }],
  ['docker', { DOCKER_HOST: 'unix:///srv/\n/d.sock' }],
  ['tmux', { TMUX_TMPDIR: 'here' }],
])('%s with %j has no further socket', (server, env) => {
  expect(pathsOf(server, env)).toEqual(pathsOf(server))
})
