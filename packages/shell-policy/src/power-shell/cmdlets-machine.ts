/** Cmdlets that fetch and send, and those that change the machine. */

import { writePath } from '../places/windows-paths.ts'
import type { Code, Rule } from '../verdict.ts'
import { type Arg, arg, hasTaint, nothing, taints, unknownStream } from '../walk/value.ts'
import { argsOf, itemsFor } from './bind.ts'
import { type Cmdlet, type Cmdlets, givenItems } from './cmdlet.ts'
import { unknownItem } from './item.ts'
import { harmlessObjects } from './members-table.ts'

const webValued =
  'uri method body infile outfile headers contenttype form useragent credential timeoutsec proxy authentication token certificate sessionvariable websession maximumredirection custommethod source destination'.split(
    ' ',
  )

/** As `curl` it is judged by the same rule, and by the same rules for addresses. */
const request: Cmdlet = ({ bound, stdin }, { host }) => {
  const urls = argsOf(itemsFor(bound, ['uri', 'source'], 0))
  const output = argsOf(itemsFor(bound, ['outfile', 'destination'], null))
  const files = argsOf(itemsFor(bound, ['infile']))
  const bodies = argsOf(itemsFor(bound, ['body', 'form']))
  const headers = argsOf(itemsFor(bound, ['headers', 'token', 'credential']))
  const isPost = argsOf(itemsFor(bound, ['method', 'custommethod'])).some(
    ({ text }) => !/^(get|head|options)$/i.test(text),
  )
  const piped = hasTaint(stdin, taints.secret | taints.secretVariable) || isPost ? [arg('-d'), arg('@-')] : []
  const options = [
    ...files.flatMap((file) => [arg('-T'), file]),
    ...bodies.flatMap((body) => [arg('--data-raw'), body]),
    ...headers.flatMap((header) => [arg('-H'), header]),
    ...piped,
  ]
  const fetched = host.run([arg('curl'), ...options, ...(urls.length > 0 ? urls : [unknownItem().arg])], stdin)
  const [file] = output
  if (file === undefined) return fetched
  writePath(file, unknownStream(taints.network), host)
  return nothing
}

const newObject: Cmdlet = (call, { host }) => {
  const { bound } = call
  const [type = unknownItem()] = itemsFor(bound, ['typename'], 0)
  const [com] = itemsFor(bound, ['comobject'])
  const name = type.arg.text.toLowerCase()
  if (com !== undefined) host.report('Q2', 'unresolved')
  else if (/sockets\./.test(name)) host.report('D2', 'remote-code')
  else if (!harmlessObjects.test(name)) host.report('Q2', 'unresolved')
  return unknownStream(givenItems(call).reduce((all, one) => all | one.arg.taint, 0))
}

const always =
  (code: Code, rule: Rule): Cmdlet =>
  (_call, { host }) => {
    host.report(code, rule)
    return nothing
  }

const rows = (names: string, code: Code, rule: Rule): Cmdlets =>
  Object.fromEntries(names.split(/\s+/).map((name) => [name, always(code, rule)]))

/** From another place than the usual one. */
const install: Cmdlet = ({ bound }, { host }) => {
  const from: readonly Arg[] = argsOf(itemsFor(bound, ['repository', 'source', 'location']))
  if (from.some(({ text }) => !/^(psgallery|nuget\.org|nuget)$/i.test(text))) host.report('Q1', 'foreign-package')
  return nothing
}

const service: Cmdlet = always('Q1', 'privilege')

export const machineCmdlets: Cmdlets = {
  'invoke-webrequest': request,
  'invoke-restmethod': request,
  'start-bitstransfer': request,
  'new-object': newObject,
  ...rows('stop-computer restart-computer', 'D2', 'power-state'),
  ...rows(
    'format-volume clear-disk initialize-disk remove-partition new-partition set-disk reset-physicaldisk remove-virtualdisk remove-storagepool repair-volume resize-partition',
    'D2',
    'disk-destruction',
  ),
  ...rows(
    'register-scheduledtask register-scheduledjob new-service set-service new-scheduledtask set-scheduledtask register-wmievent set-wmiinstance enable-psremoting register-pssessionconfiguration',
    'Q2',
    'persistence',
  ),
  ...rows(
    'set-executionpolicy set-mppreference add-mppreference disable-windowsoptionalfeature enable-windowsoptionalfeature new-netfirewallrule set-netfirewallprofile set-netfirewallrule disable-netfirewallrule clear-eventlog limit-eventlog remove-eventlog set-acl new-localuser add-localgroupmember set-localuser set-adaccountpassword new-netipaddress set-dnsclientserveraddress mount-diskimage',
    'Q2',
    'privilege',
  ),
  ...rows('get-credential convertfrom-securestring get-secret', 'Q2', 'credential-read'),
  ...rows(
    'add-type invoke-wmimethod invoke-cimmethod enter-pssession new-pssession invoke-history enter-pshostprocess',
    'Q2',
    'unresolved',
  ),
  ...rows('remove-service', 'Q2', 'privilege'),
  'stop-service': service,
  'restart-service': service,
  'start-service': service,
  'install-module': install,
  'install-script': install,
  'install-package': install,
  'install-psresource': install,
  'save-module': install,
  'import-module': (call, runner) => {
    const [module = unknownItem()] = itemsFor(call.bound, ['name', 'assembly'], 0)
    if (/[\\/]/.test(module.arg.text)) return runner.runWords([module.arg], nothing)
    if (!/^[\w.-]+$/.test(module.arg.text)) runner.host.report('Q2', 'unresolved')
    return nothing
  },
  'get-clipboard': () => unknownStream(),
}

export { webValued }
