/** Containers, clusters, terminal multiplexers, package runners, editors: programs that can be handed a command among other things. */

import { hasFlag, readOptions, valuesOf } from '../options.ts'
import type { Call, Program, Programs, Shell } from '../shell.ts'
import { type Arg, arg, hasTaint, isKnown, joinedArgs, nothing, type Stream, taints, unknownStream } from '../value.ts'
import { runPlain } from './plain.ts'

// --- containers ---

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
  const { state } = shell
  const [cwd, links] = [state.cwd, state.links]
  // What is mounted is where it comes from; everything else counts as if it were here.
  for (const { source, target } of mounts) {
    const path = shell.resolve(source)
    if (path !== null && target.startsWith('/'))
      state.links = new Map([...state.links, [target.replace(/(.)\/$/, '$1'), path]])
  }
  const [folder] = valuesOf(options, 'w', 'workdir')
  if (folder !== undefined) state.cwd = shell.resolve(folder.text)
  const output =
    verb === 'exec' || entry !== undefined || isCommand(inside[0]) ? shell.run(inside, call.stdin) : unknownStream()
  state.cwd = cwd
  state.links = links
  return output
}

/** What stands behind an image is a command, unless the image’s own program takes it as options. */
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
  if (verb?.text === 'exec' || verb?.text === 'run' || verb?.text === 'debug') {
    if (verb.text === 'debug' && /(^| )nodes?\//.test(line)) shell.report('D1', 'root-shell')
    if (/--privileged|hostPID|hostNetwork|"privileged"\s*:\s*true|hostPath|--profile[= ]sysadmin/.test(line))
      shell.report('D1', 'root-shell')
    const at = args.findIndex(({ text }) => text === '--')
    const options = readOptions(args, { valued: containerValued, stopsAtOperand: false })
    const inside = at >= 0 ? args.slice(at + 1) : verb.text === 'exec' ? options.operands.slice(1) : []
    return inside.length === 0 ? unknownStream() : shell.run(inside, call.stdin)
  }
  if (verb?.text === 'get' && /(^| |,)secrets?\b/.test(line) && /(^| )(-o|--output|-ojson|-oyaml)/.test(line))
    shell.report('Q2', 'credential-read')
  if (verb?.text === 'config' && /--raw/.test(line)) shell.report('Q2', 'credential-read')
  if (verb?.text === 'create' && /^token\b/.test(line)) shell.report('Q2', 'credential-read')
  return unknownStream()
}

// --- terminals ---

const tmux: Program = ({ args }, shell) => {
  const own = readOptions(args, { valued: 'L S f T c', stopsAtOperand: true })
  const [verb, ...rest] = own.operands
  for (const code of valuesOf(own, 'c')) shell.runCode(code, { isSubshell: true })
  for (const path of valuesOf(own, 'f')) if (path.text !== '/dev/null') shell.report('Q2', 'smuggled-exec')
  if (verb === undefined) return nothing
  const options = readOptions(rest, {
    valued: 't s n c e x y F b h p l',
    stopsAtOperand: verb.text !== 'send-keys' && verb.text !== 'send',
  })
  if (/^(send-keys|send)$/.test(verb.text)) return runKeys(options.operands, shell)
  if (
    /^(new-session|new|new-window|neww|split-window|splitw|respawn-pane|respawnp|respawn-window|respawnw|run-shell|run|if-shell|if|pipe-pane|pipep|display-popup|popup|confirm-before|set-hook|bind-key|bind)$/.test(
      verb.text,
    )
  ) {
    if (/^(set-hook|bind-key|bind)$/.test(verb.text)) shell.report('Q2', 'shadowing')
    for (const word of /^(if|if-shell)$/.test(verb.text) ? options.operands : [])
      shell.runCode(word, { isSubshell: true })
    if (options.operands.length > 0) shell.runCode(joinedArgs(options.operands), { isSubshell: true })
  }
  if (/^(kill-server)$/.test(verb.text)) shell.report('Q1', 'power-state')
  return unknownStream()
}

/** Keys by name, and text. */
function runKeys(words: readonly Arg[], shell: Shell): Stream {
  const keyNames: Readonly<Record<string, string>> = {
    Enter: '\n',
    'C-m': '\n',
    'C-j': '\n',
    KPEnter: '\n',
    Space: ' ',
    Tab: '\t',
  }
  const text = words
    .map(
      (word) =>
        keyNames[word.text] ??
        (/^(C-.|M-.|Escape|Up|Down|Left|Right|BSpace|Home|End)$/.test(word.text) ? '' : word.text),
    )
    .join('')
  shell.runCode({ ...joinedArgs(words), text }, { isSubshell: true })
  return nothing
}

const screen: Program = ({ args, stdin }, shell) => {
  const options = readOptions(args, { valued: 'S t X p c e h s T r x R L', stopsAtOperand: true })
  const at = args.findIndex(({ text }) => text === '-X')
  if (at >= 0) {
    const [verb, ...rest] = args.slice(at + 1)
    if (verb?.text === 'stuff')
      shell.runCode(
        {
          ...joinedArgs(rest),
          text: joinedArgs(rest).text.replaceAll('^M', '\n').replaceAll('\\n', '\n').replaceAll('\\r', '\n'),
        },
        { isSubshell: true },
      )
    else if (verb?.text === 'exec' || verb?.text === 'screen') shell.run(rest, stdin)
    return nothing
  }
  for (const path of valuesOf(options, 'c')) if (path.text !== '/dev/null') shell.report('Q2', 'smuggled-exec')
  return options.operands.length === 0 || hasFlag(options, 'ls', 'list') ? nothing : shell.run(options.operands, stdin)
}

// --- package runners ---

const runnerValued =
  'p package c call prefix w workspace C dir filter F userconfig globalconfig registry loglevel cache script-shell'

const npm: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: `${runnerValued} otp tag access`, stopsAtOperand: true })
  judgeScriptShell(call.args, shell)
  const [verb, ...rest] = options.operands
  const word = verb?.text ?? ''
  if (/^(exec|x|dlx)$/.test(word)) return runPackage({ ...call, args: rest }, shell)
  if (/^(run|run-script|test|start|workspace|workspaces|rum|urn)$/.test(word) || word === '') return unknownStream()
  if (word === 'config' || word === 'c' || word === 'set') judgeNpmSetting(rest, shell)
  return unknownStream()
}

function judgeScriptShell(args: readonly Arg[], shell: Shell): void {
  for (const command of valuesOf(
    readOptions(args, { valued: 'script-shell node-gyp git editor viewer' }),
    'script-shell',
    'node-gyp',
    'git',
    'editor',
    'viewer',
  ))
    shell.runSmuggled(command)
}

function judgeNpmSetting(words: readonly Arg[], shell: Shell): void {
  const text = joinedArgs(words).text
  const found =
    /(?:^|\s)(?:set\s+)?(script-shell|shell|editor|git|node-options|viewer|prefix|registry|ignore-scripts|init-module|onload-script)[ =](\S.*)/.exec(
      text,
    )
  if (found?.[1] === 'registry') shell.report('Q1', 'foreign-package')
  else if (found?.[2] !== undefined && found[1] !== 'prefix' && found[1] !== 'ignore-scripts') {
    shell.report('Q2', 'smuggled-exec')
    shell.runSmuggled({ ...arg(found[2]) })
  }
  if (/^get\b.*(_auth|token|password)/i.test(text)) shell.report('Q2', 'credential-read')
}

/** `npx`, `npm exec`, `pnpm dlx`, `bunx`: a text behind `-c`, or a package and its arguments. */
const runPackage: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: runnerValued, stopsAtOperand: true })
  const code = valuesOf(options, 'c', 'call')
  for (const one of code) shell.runCode(one, { isSubshell: true })
  if (code.length > 0) return unknownStream()
  judgeScriptShell(call.args, shell)
  const packages = [...valuesOf(options, 'p', 'package'), ...options.operands.slice(0, 1)]
  for (const { text } of packages) if (isForeignPackage(text)) shell.report('Q2', 'foreign-package')
  const [name, ...rest] = options.operands[0]?.text === '--' ? options.operands.slice(1) : options.operands
  if (name === undefined) return unknownStream()
  const bare = name.text.replace(/^(@[^/]+\/)?/, (scope) => scope).replace(/(.)@[^/]*$/, '$1')
  return shell.run(
    [
      {
        ...name,
        text:
          bare.includes('/') && !bare.startsWith('.') && !bare.startsWith('/')
            ? bare.slice(bare.lastIndexOf('/') + 1)
            : bare,
      },
      ...rest,
    ],
    call.stdin,
  )
}

export const isForeignPackage = (text: string) =>
  /^(https?|git|git\+\w+|ssh|file|github|gitlab|bitbucket|gist):|^[\w.-]+\/[\w.-]+(#.*)?$|\.(tgz|whl|zip|tar\.gz)$|^git@/.test(
    text,
  ) && !/^@/.test(text)

const make: Program = (call, shell) => {
  const options = readOptions(call.args, {
    valued:
      'f file makefile C directory j jobs l load-average I include-dir o old-file W what-if eval E new-file assume-new',
  })
  for (const text of valuesOf(options, 'eval', 'E')) judgeRecipes(text, shell)
  for (const path of valuesOf(options, 'f', 'file', 'makefile')) {
    const resolved = shell.resolve(path.text)
    const content =
      path.text === '-' || path.text === '/dev/stdin'
        ? call.stdin
        : resolved === null
          ? unknownStream(path.taint)
          : shell.state.files.get(resolved)
    if (content !== undefined) judgeRecipes({ ...content, isGlob: false }, shell)
  }
  for (const { text, taint } of options.operands) {
    const found = /^(SHELL|CC|CXX|LD|AR|MAKE|RM|INSTALL|[A-Z_]*CMD)[:?]?=(.*)$/s.exec(text)
    if (found?.[2] === undefined) continue
    if (found[1] === 'SHELL' && /^(\/usr)?(\/local)?(\/bin\/)?(ba|z|da|k)?sh$/.test(found[2])) continue
    shell.runSmuggled({ text: found[2], taint, isGlob: false })
  }
  return unknownStream()
}

/** The recipes of a makefile that is known. */
function judgeRecipes({ text, taint }: Arg, shell: Shell): void {
  if (!isKnown({ text }))
    shell.report(
      hasTaint({ taint }, taints.network) ? 'D2' : hasTaint({ taint }, taints.decoded) ? 'D2' : 'Q2',
      hasTaint({ taint }, taints.network)
        ? 'remote-code'
        : hasTaint({ taint }, taints.decoded)
          ? 'encoded-payload'
          : 'unresolved',
    )
  for (const line of text.split('\n').slice(0, 500)) {
    const recipe =
      /^\t[@+-]*(.+)$/.exec(line)?.[1] ??
      /^[^\t:#=]+::?[^;=]*;\s*[@+-]*(.+)$/.exec(line)?.[1] ??
      /\$\(shell (.+)\)/.exec(line)?.[1] ??
      /!=\s*(.+)$/.exec(line)?.[1]
    if (recipe !== undefined)
      shell.runCode({ text: recipe.replaceAll('$$', '$'), taint, isGlob: false }, { isSubshell: true })
  }
}

/** Everything behind some words is a command line. */
const behind =
  (words: RegExp, valued: string, isText: boolean): Program =>
  (call, shell) => {
    const options = readOptions(call.args, { valued, stopsAtOperand: true })
    const at = options.operands.findIndex(({ text }) => words.test(text))
    if (at < 0) return runPlain(call, shell)
    const rest = options.operands.slice(at + 1)
    if (rest.length === 0) return unknownStream()
    return isText
      ? shell.runCode(joinedArgs(rest), { stdin: call.stdin, isSubshell: true })
      : shell.run(rest, call.stdin)
  }

/** The values of some options are each a text for a shell. */
const optionTexts =
  (names: string, valued: string): Program =>
  (call, shell) => {
    const options = readOptions(call.args, { valued: `${names} ${valued}` })
    for (const code of valuesOf(options, ...names.split(' ')))
      shell.runCode(code, { stdin: call.stdin, isSubshell: true })
    return unknownStream()
  }

const ansible: Program = ({ args }, shell) => {
  const options = readOptions(args, {
    valued: 'm module-name a args i inventory u user e extra-vars f forks l limit become-user become-method B P t T c',
  })
  const module = valuesOf(options, 'm', 'module-name')[0]?.text ?? 'command'
  for (const code of valuesOf(options, 'a', 'args'))
    if (/(^|\.)(shell|command|raw|script|win_shell)$/.test(module)) shell.runCode(code, { isSubshell: true })
  return unknownStream()
}

const expectProgram: Program = ({ args, stdin }, shell) => {
  const codes = valuesOf(readOptions(args, { valued: 'c f b' }), 'c')
  for (const { text, taint } of codes.length > 0 ? codes : [{ ...arg(stdin.text), taint: stdin.taint }])
    for (const [, command = ''] of text.matchAll(/(?:spawn|exec|system)\s+([^;\n\]]{1,500})/g))
      shell.runCode({ text: command, taint, isGlob: false }, { isSubshell: true })
  return unknownStream()
}

/** `m4`, `ed`: programs of text that can call a shell. */
const textProgram =
  (pattern: RegExp): Program =>
  (call, shell) => {
    const options = readOptions(call.args, { valued: 'c s D I p' })
    for (const { text, taint } of [arg(call.stdin.text), ...valuesOf(options, 'c')])
      for (const found of text.slice(0, 20_000).matchAll(pattern))
        if (found[1] !== undefined) shell.runSmuggled({ text: found[1].replace(/'$/, ''), taint, isGlob: false })
    return unknownStream(call.stdin.taint)
  }

const just: Program = ({ args, stdin }, shell) => {
  const at = args.findIndex(({ text }) => text === '--command' || text === '-c')
  for (const command of valuesOf(readOptions(args, { valued: 'shell' }), 'shell')) shell.runSmuggled(command)
  return at < 0 ? unknownStream() : shell.run(args.slice(at + 1), stdin)
}

const adb: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: 's t H P L', stopsAtOperand: true })
  if (/^(reboot|reboot-bootloader)$/.test(options.operands[0]?.text ?? '')) shell.report('D2', 'power-state')
  return behind(/^shell$/, 's t H P L', true)(call, shell)
}

const chroot: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: 'userspec groups', stopsAtOperand: true })
  shell.report('Q2', 'privilege')
  return options.operands.length > 1 ? shell.run(options.operands.slice(1), call.stdin) : nothing
}

export const launchers: Programs = {
  docker,
  podman: docker,
  nerdctl: docker,
  'docker-compose': (call, shell) => docker({ ...call, args: [arg('compose'), ...call.args] }, shell),
  lxc: behind(/^--$/, '', false),
  incus: behind(/^--$/, '', false),
  multipass: behind(/^exec$/, '', false),
  toolbox: behind(/^run$/, 'c container', false),
  distrobox: behind(/^--$/, '', false),
  ctr: (call, shell) => {
    if (hasFlag(readOptions(call.args), 'privileged')) shell.report('D1', 'root-shell')
    return unknownStream()
  },
  kubectl,
  oc: kubectl,
  k: kubectl,
  k3s: (call, shell) => kubectl({ ...call, args: call.args.slice(1) }, shell),
  tmux,
  screen,
  npm,
  pnpm: npm,
  yarn: npm,
  npx: runPackage,
  pnpx: runPackage,
  bunx: runPackage,
  uvx: runPackage,
  make,
  gmake: make,
  just,
  vagrant: optionTexts('c command', ''),
  wsl: (call, shell) => {
    const { operands } = readOptions(call.args, { valued: 'd distribution u user cd', stopsAtOperand: true })
    const words = operands[0]?.text === '--' || operands[0]?.text === '-e' ? operands.slice(1) : operands
    return words.length === 0 ? nothing : shell.run(words, call.stdin)
  },
  adb,
  chroot,
  ansible,
  expect: expectProgram,
  m4: textProgram(/(?:e?syscmd)\s*\(\s*`?([^)]{1,500})/g),
  ed: textProgram(/(?:^|\n)\s*(?:\d*(?:r|w|e)?\s*)?!(.{1,500})/g),
  ex: textProgram(/(?:^|\n|\|)\s*:?(?:silent\s*)?(?:r\s*|w\s*)?!(.{1,500})/g),
  ftp: textProgram(/(?:^|\n)\s*!(.{1,500})/g),
  pdsh: (call, shell) => {
    const { operands } = readOptions(call.args, { valued: 'w x l f t u R g', stopsAtOperand: true })
    return operands.length === 0 ? nothing : shell.runCode(joinedArgs(operands), { isSubshell: true })
  },
  clush: (call, shell) =>
    shell.runCode(joinedArgs(readOptions(call.args, { valued: 'w x l f g', stopsAtOperand: true }).operands), {
      isSubshell: true,
    }),
  pssh: (call, shell) =>
    shell.runCode(joinedArgs(readOptions(call.args, { valued: 'h H l p t o e O x', stopsAtOperand: true }).operands), {
      isSubshell: true,
    }),
  'parallel-ssh': (call, shell) =>
    shell.runCode(joinedArgs(readOptions(call.args, { valued: 'h H l p t o e O x', stopsAtOperand: true }).operands), {
      isSubshell: true,
    }),
  salt: (call, shell) => {
    const at = call.args.findIndex(({ text }) => /^cmd\.(run|shell|exec_code)/.test(text))
    const code = at < 0 ? undefined : call.args[at + 1]
    return code === undefined ? unknownStream() : shell.runCode(code, { isSubshell: true })
  },
  gcloud: (call, shell) => {
    const [code] = valuesOf(readOptions(call.args, { valued: 'command project zone' }), 'command')
    if (/print-(access|identity)-token/.test(joinedArgs(call.args).text)) shell.report('Q2', 'credential-read')
    return code === undefined ? unknownStream() : shell.runCode(code, { isSubshell: true })
  },
  ip: (call, shell) => {
    const at = call.args.findIndex(({ text }) => text === 'exec')
    if (at >= 0 && call.args[0]?.text === 'netns') return shell.run(call.args.slice(at + 2), call.stdin)
    if (
      /\b(link|addr|address|route|rule|neigh|netns|tunnel)\b.*\b(set|add|del|delete|flush|replace|change)\b/.test(
        joinedArgs(call.args).text,
      )
    )
      shell.report('Q2', 'privilege')
    return unknownStream()
  },
  cmd: (call, shell) => {
    shell.report('Q2', 'unresolved')
    return runPlain(call, shell)
  },
}
