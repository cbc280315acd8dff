/** What a program inside learns from its environment: nothing that leads out. */

import { runtimeFolder } from './bubblewrap.ts'

/** They name what is not there inside, or whom to talk to outside. */
const leadingOut =
  /^(AGENTPTY_(?!TERMINAL$|LINEAGE$|USER_ZDOTDIR$).*|SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_ASKPASS|GPG_AGENT_INFO|DBUS_.*|DISPLAY|WAYLAND_.*|XAUTHORITY|XDG_RUNTIME_DIR|XDG_SESSION_.*|SESSION_MANAGER|PULSE_.*|DOCKER_HOST|CONTAINER_HOST|TMPDIR|TMP|TEMP|VSCODE_(IPC_HOOK.*|GIT_.*)|GIT_ASKPASS|SUDO_ASKPASS|KRB5CCNAME)$/

/** What the relay inside listens at: native/ptyhost/src/wall_parts.h. */
const proxyUrl = 'http://127.0.0.1:3128'
const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'] as const
const ownHosts = 'localhost,127.0.0.1,::1'

export function environmentInside(
  env: Readonly<Record<string, string>>,
  { hasProxy }: { readonly hasProxy: boolean },
): Record<string, string> {
  const kept = Object.entries(env).filter(([name]) => !leadingOut.test(name))
  // Caches of outside can only be read, and one that can be written would be read by programs outside later.
  const caches = { XDG_CACHE_HOME: '/tmp/cache', npm_config_cache: '/tmp/cache/npm' }
  const proxy = hasProxy ? Object.fromEntries(proxyNames.map((name) => [name, proxyUrl])) : {}
  return {
    XDG_RUNTIME_DIR: runtimeFolder,
    ...caches,
    ...Object.fromEntries(kept),
    ...proxy,
    ...(hasProxy ? { NO_PROXY: ownHosts, no_proxy: ownHosts } : {}),
  }
}
