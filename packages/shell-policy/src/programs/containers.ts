/** Containers and clusters: what they open of this machine, and the command that they are handed. */

import { type Call, type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { type Arg, arg, isKnown, joinedArgs, type Stream, unknownStream } from '../walk/value.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'

const containerValued =
  'v volume e env env-file p publish w workdir u user name network net entrypoint m memory cpus l label h hostname mount add-host device cap-add cap-drop security-opt pid ipc uts userns restart log-driver log-opt tmpfs ulimit gpus platform pull link dns expose cidfile shm-size runtime volumes-from cgroupns H host c context config log-level f file project-directory profile project-name index detach-keys n namespace container pod-running-timeout kubeconfig s server token as l selector'

const docker: Program = (call, shell) => {
  const own = readOptions(call.args, {
    valued:
      'H host c context config log-level l tlscacert tlscert tlskey f file p project-name profile project-directory env-file',
    stopsAtOperand: true,
  })
  const [first, ...others] = own.operands
  const isGroup = /^(container|compose|buildx|image|stack|machine|sandbox|debug)$/.test(first?.text ?? '')
  const behindGroup = isGroup
    ? readOptions(others, { valued: 'f file p project-name profile project-directory env-file', stopsAtOperand: true })
        .operands
    : own.operands
  const [verb, ...args] = behindGroup
  if (verb === undefined) return unknownStream()
  if (/^(run|create|exec|debug)$/.test(verb.text)) return runInContainer(verb.text, args, call, shell)
  if (verb.text === 'cp') {
    const [source, target] = readOptions(args).operands
    if (source !== undefined && target !== undefined && !/^[\w.-]+:/.test(target.text))
      shell.write(target, unknownStream())
    if (source !== undefined && !/^[\w.-]+:/.test(source.text)) shell.read(source)
  }
  for (const path of valuesOf(readOptions(args, { valued: 'o output' }), 'o', 'output'))
    if (/^(save|export)$/.test(verb.text)) shell.write(path, unknownStream())
  return unknownStream()
}

function runInContainer(verb: string, args: readonly Arg[], call: Call, shell: Shell): Stream {
  const options = readOptions(args, { valued: containerValued, stopsAtOperand: true })
  const mounts = [...valuesOf(options, 'v', 'volume'), ...valuesOf(options, 'mount')].map((one) => mountOf(one.text))
  const isOpen =
    hasFlag(options, 'privileged') ||
    valuesOf(options, 'pid', 'userns', 'ipc_').some(({ text }) => text === 'host') ||
    valuesOf(options, 'cap-add').some(({ text }) =>
      /^(ALL|SYS_ADMIN|SYS_PTRACE|SYS_MODULE|CAP_SYS_ADMIN|DAC_READ_SEARCH|SYS_RAWIO)$/i.test(text),
    ) ||
    valuesOf(options, 'security-opt').some(({ text }) => /unconfined|label[:=]disable/.test(text)) ||
    valuesOf(options, 'device').some(({ text }) => /^\/dev\/(sd|nvme|vd|mem|dm|mapper)/.test(text))
  if (isOpen) shell.report('D1', 'root-shell')
  for (const { source } of mounts) {
    const path = /^[/.~$]/.test(source) ? shell.resolve(source) : null
    if (
      path !== null &&
      (/^\/(etc|root|boot|proc|sys|dev|var|usr|home|run|lib|bin|sbin)?$/.test(path) ||
        /docker\.sock|containerd\.sock|podman\.sock|crio\.sock|^\/var\/(run|lib\/docker)/.test(path) ||
        /^\/etc\//.test(path))
    )
      shell.report('D1', 'root-shell')
    else if (!isKnown({ text: source })) shell.report('Q2', 'unresolved')
  }
  const [entry] = valuesOf(options, 'entrypoint')
  const inside = entry === undefined ? options.operands.slice(1) : [entry, ...options.operands.slice(1)]
  if (inside.length === 0) return unknownStream()
  if (verb !== 'exec' && entry === undefined && !isCommand(inside[0])) return unknownStream()
  // A mounted path is judged as its source. Every other path counts as a path of this machine.
  const mounted = mounts.reduce((outer, { source, target }) => {
    const path = target.startsWith('/') ? outer.resolve(source) : null
    if (path === null) return outer
    return outer.within({ links: new Map([...outer.state.links, [target.replace(/(.)\/$/, '$1'), path]]) })
  }, shell)
  const [folder] = valuesOf(options, 'w', 'workdir')
  return mounted.inFolder(folder).run(inside, call.stdin)
}

/** The words after an image are a command, unless the image's own program takes them as options. */
const isCommand = (word: Arg | undefined) => word !== undefined && !word.text.startsWith('-')

function mountOf(text: string): { readonly source: string; readonly target: string } {
  if (!text.includes('=')) {
    const [source = '', target = ''] = text.split(':')
    return { source, target }
  }
  const part = (names: RegExp) =>
    text
      .split(',')
      .find((one) => names.test(one))
      ?.replace(/^[^=]*=/, '') ?? ''
  return { source: part(/^(source|src)=/), target: part(/^(target|dst|destination)=/) }
}

const kubectl: Program = (call, shell) => {
  const own = readOptions(call.args, {
    valued: 'n namespace context kubeconfig cluster user s server token as',
    stopsAtOperand: true,
  })
  const [verb, ...args] = own.operands
  const line = joinedArgs(args).text
  if (verb !== undefined && /^(exec|run|debug|rsh)$/.test(verb.text)) {
    if (verb.text === 'debug' && /(^| )nodes?\//.test(line)) shell.report('D1', 'root-shell')
    if (/--privileged|hostPID|hostNetwork|"privileged"\s*:\s*true|hostPath|--profile[= ]sysadmin/.test(line))
      shell.report('D1', 'root-shell')
    const at = args.findIndex(({ text }) => text === '--')
    const options = readOptions(args, { valued: containerValued, stopsAtOperand: false })
    const inside = at >= 0 ? args.slice(at + 1) : /^(exec|rsh)$/.test(verb.text) ? options.operands.slice(1) : []
    return inside.length === 0 ? unknownStream() : shell.run(inside, call.stdin)
  }
  if (verb?.text === 'get' && /(^| |,)secrets?\b/.test(line) && /(^| )(-o|--output|-ojson|-oyaml)/.test(line))
    shell.report('Q2', 'credential-read')
  if (verb?.text === 'config' && /--raw/.test(line)) shell.report('Q2', 'credential-read')
  if (verb?.text === 'create' && /^token\b/.test(line)) shell.report('Q2', 'credential-read')
  return unknownStream()
}

const compose: Program = (call, shell) => docker({ ...call, args: [arg('compose'), ...call.args] }, shell)

export const containerPrograms: Programs = {
  ...programsNamed('docker podman nerdctl', docker),
  ...programsNamed('docker-compose podman-compose', compose),
  ctr: (call, shell) => {
    if (hasFlag(readOptions(call.args), 'privileged')) shell.report('D1', 'root-shell')
    return unknownStream()
  },
  ...programsNamed('kubectl oc k', kubectl),
  k3s: (call, shell) => kubectl({ ...call, args: call.args.slice(1) }, shell),
}
