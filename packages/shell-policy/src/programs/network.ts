/** Programs that speak to other machines: what they fetch, what they send, and what they are made to run. */

import { baseName } from '../places/paths.ts'
import { isCredential, isGuard, isPrivate } from '../places/places.ts'
import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import {
  type Arg,
  arg,
  hasTaint,
  isKnown,
  joinedArgs,
  nothing,
  type Stream,
  taints,
  unknownStream,
} from '../walk/value.ts'
import { metadataAddress } from './inline-code.ts'
import { hasFlag, type Options, readOptions, valuesOf } from './options.ts'
import { isStdin } from './reading.ts'

/** Whether a word names a file that must not leave: the file itself, or behind `@`, `=`, `<` or `:`. */
function namesSecret({ text, taint }: Arg, shell: Shell): boolean {
  if ((taint & taints.secret) !== 0) return true
  if (text.length > 4_096) return false
  return [text, ...text.split(/[@=<;:\s]/)].some((part) => {
    if (part === '' || part.startsWith('-')) return false
    const path = shell.resolve(part)
    if (path === null) return false
    const written = shell.state.files.get(path)
    return (
      isCredential(path, shell.state) || isPrivate(path) || (written !== undefined && hasTaint(written, taints.secret))
    )
  })
}

export function judgeSending(words: readonly Arg[], stdin: Stream, shell: Shell): void {
  if (hasTaint(stdin, taints.secret) || words.some((word) => namesSecret(word, shell)))
    shell.report('D2', 'credential-exfil')
}

function judgeAddresses(words: readonly Arg[], shell: Shell): void {
  for (const { text } of words) {
    if (metadataAddress.test(text)) shell.report('D1', 'metadata')
    if (/\/agentpty(d)?\.sock|\/agentpty\//.test(text) && !/^https?:\/\/(?!localhost|127)/.test(text)) {
      const path = text.slice(text.search(/\/(run|home|tmp|\w+)/))
      if (
        isGuard(path.replace(/^.*unix:(?=\/)/i, '').replace(/[,:].*$/, ''), shell.state) ||
        /agentpty\S*\.sock/.test(text)
      )
        shell.report('Q2', 'self-tampering')
    }
  }
}

export const curlValued =
  'o output d data data-raw data-binary data-urlencode data-ascii json F form form-string T upload-file H header X request u user A user-agent e referer b cookie c cookie-jar K config w write-out x proxy m max-time retry retry-delay connect-timeout C continue-at r range E cert key cacert capath unix-socket abstract-unix-socket url output-dir D dump-header proxy-user oauth2-bearer resolve limit-rate interface netrc-file U t P Q quote Y y z stderr trace trace-ascii connect-to dns-servers doh-url proto ciphers tls-max aws-sigv4 request-target variable hsts engine libcurl max-redirs max-filesize mail-from mail-rcpt'

const curl: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: curlValued })
  for (const config of valuesOf(options, 'K', 'config')) judgeConfig(config, shell)
  const bodies = valuesOf(
    options,
    ...'d data data-raw data-binary data-urlencode data-ascii json F form T upload-file form-string b cookie'.split(
      ' ',
    ),
  )
  const headers = valuesOf(options, 'H', 'header', 'u', 'user', 'A', 'user-agent', 'e', 'referer', 'oauth2-bearer')
  const urls = [...options.operands, ...valuesOf(options, 'url')]
  const literal = new Set(valuesOf(options, 'data-raw', 'form-string'))
  const sent = [...bodies.filter((one) => !literal.has(one)), ...headers.filter(({ text }) => text.startsWith('@'))]
  judgeSending(
    [...sent, ...urls.filter(({ text }) => text.startsWith('file:'))],
    sends(bodies) ? call.stdin : nothing,
    shell,
  )
  if ([...headers, ...urls, ...bodies].some(({ taint }) => (taint & taints.secret) !== 0))
    shell.report('D2', 'credential-exfil')
  const isPlain =
    urls.some(({ text }) => /^http:|^ftp:|^telnet:/i.test(text) || !/^\w+:/.test(text)) &&
    !urls.every(({ text }) => /^https:/i.test(text))
  const exposed = [...urls, ...bodies, ...(isPlain ? headers : [])]
  if (exposed.some(({ taint }) => (taint & taints.secretVariable) !== 0)) shell.report('Q2', 'credential-exfil')
  judgeAddresses(
    [...urls, ...valuesOf(options, 'unix-socket', 'x', 'proxy', 'connect-to', 'resolve', 'abstract-unix-socket')],
    shell,
  )
  for (const { text } of urls) if (text.startsWith('file://')) shell.read(arg(text.slice('file://'.length)))
  return fetched(options, urls, shell)
}

/** A body that is read from the standard input. */
const sends = (bodies: readonly Arg[]) =>
  bodies.some(
    ({ text }) => text === '-' || text.includes('@-') || text.includes('=-') || text === '.' || text.includes('<-'),
  )

export function judgeConfig(config: Arg, shell: Shell): void {
  const path = shell.resolve(config.text)
  const { workspace, home } = shell.state
  if (path === null || !(path.startsWith(`${workspace}/`) || path.startsWith(`${home}/`)))
    shell.report('Q2', 'smuggled-exec')
}

/** Fetches to the standard output, or to files, whose content then counts as from the network. */
function fetched(options: Options, urls: readonly Arg[], shell: Shell): Stream {
  const content = unknownStream(taints.network)
  const folder = valuesOf(options, 'output-dir')[0]
  const place = (path: Arg) =>
    folder === undefined || path.text.startsWith('/') ? path : { ...path, text: `${folder.text}/${path.text}` }
  const outputs = valuesOf(options, 'o', 'output')
  for (const path of outputs) if (!isStdin(path.text)) shell.write(place(path), content)
  for (const path of valuesOf(options, 'D', 'dump-header', 'c', 'cookie-jar', 'trace', 'trace-ascii', 'stderr'))
    if (!isStdin(path.text)) shell.write(path, unknownStream())
  if (hasFlag(options, 'O', 'remote-name', 'remote-name-all'))
    for (const url of urls) shell.write(place(arg(fileOfUrl(url.text))), content)
  return outputs.length > 0 && outputs.every(({ text }) => !isStdin(text)) ? nothing : content
}

function fileOfUrl(url: string): string {
  const path = url.replace(/[?#].*$/, '').replace(/^\w+:\/\/[^/]*/, '')
  return baseName(path) || 'index.html'
}

export const wgetValued =
  'O output-document P directory-prefix o output-file a append-output i input-file U user-agent header post-data post-file body-data body-file method t tries T timeout user password e execute B base config load-cookies save-cookies A R D I X l Q use-askpass referer ca-certificate certificate private-key'

const wget: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: wgetValued })
  for (const path of valuesOf(options, 'config')) judgeConfig(path, shell)
  for (const command of valuesOf(options, 'use-askpass')) shell.runSmuggled(command)
  for (const line of valuesOf(options, 'e', 'execute'))
    if (/use_askpass|output_document|\bconfig\b/.test(line.text)) shell.report('Q2', 'smuggled-exec')
  judgeSending([...valuesOf(options, 'post-file', 'body-file', 'i', 'input-file')], nothing, shell)
  const words = [...options.operands, ...valuesOf(options, 'post-data', 'body-data', 'header')]
  if (words.some(({ taint }) => (taint & taints.secret) !== 0)) shell.report('D2', 'credential-exfil')
  const exposed = [...options.operands, ...valuesOf(options, 'post-data', 'body-data')]
  const isPlain = options.operands.some(({ text }) => /^http:/i.test(text))
  if (
    [...exposed, ...(isPlain ? valuesOf(options, 'header', 'password') : [])].some(
      ({ taint }) => (taint & taints.secretVariable) !== 0,
    )
  )
    shell.report('Q2', 'credential-exfil')
  judgeAddresses(options.operands, shell)
  for (const path of valuesOf(options, 'o', 'output-file', 'a', 'append-output'))
    if (!isStdin(path.text)) shell.write(path, unknownStream())
  const content = unknownStream(taints.network)
  const [target] = valuesOf(options, 'O', 'output-document')
  if (target !== undefined) {
    if (isStdin(target.text)) return content
    shell.write(target, content)
    return nothing
  }
  if (hasFlag(options, 'spider')) return nothing
  const folder = valuesOf(options, 'P', 'directory-prefix')[0]?.text ?? '.'
  for (const { text } of options.operands) shell.write(arg(`${folder}/${fileOfUrl(text)}`), content)
  return nothing
}

/** Relays between the terminal and another machine. */
const netcat: Program = (call, shell) => {
  const options = readOptions(call.args, { valued: 'p s w i q e c x X T O I P lua-exec sh-exec exec m g G' })
  for (const command of valuesOf(options, 'e', 'c', 'exec', 'sh-exec', 'lua-exec')) {
    shell.report('D2', 'remote-code')
    shell.runSmuggled(command)
  }
  judgeSending([], call.stdin, shell)
  if (call.args.some(({ taint }) => (taint & taints.secret) !== 0)) shell.report('D2', 'credential-exfil')
  judgeAddresses(call.args, shell)
  return unknownStream(taints.network)
}

const socat: Program = (call, shell) => {
  const line = joinedArgs(call.args).text
  if (/\b(EXEC|SYSTEM|SHELL)\s*:/i.test(line)) {
    if (/\b(TCP|UDP|OPENSSL|SSL|SCTP|VSOCK|SOCKS|PROXY|DTLS)[\w-]*:/i.test(line)) shell.report('D2', 'remote-code')
    else shell.report('Q2', 'smuggled-exec')
    for (const [, code = ''] of line.matchAll(/\b(?:EXEC|SYSTEM|SHELL)\s*:\s*["']?([^,"'\s][^,"']{0,500})/gi))
      shell.subshell().runCode(arg(code))
  }
  for (const { text } of call.args) {
    const file = /^(?:FILE|OPEN|CREATE|GOPEN)\s*:\s*([^,]+)/i.exec(text)?.[1]
    if (file === undefined) continue
    if (namesSecret(arg(file), shell)) shell.report('D2', 'credential-exfil')
    if (text === call.args.at(-1)?.text) shell.write(arg(file), unknownStream())
  }
  judgeSending([], call.stdin, shell)
  judgeAddresses(call.args, shell)
  return unknownStream(taints.network)
}

/** Whatever of theirs holds a secret is sent; they print what comes back. */
const sender: Program = ({ args, stdin }, shell) => {
  judgeSending(args, stdin, shell)
  judgeAddresses(args, shell)
  if (args.some(({ taint, text }) => (taint & taints.secretVariable) !== 0 && /http:|\?/.test(text)))
    shell.report('Q2', 'credential-exfil')
  return unknownStream(taints.network)
}

/** Judges a lookup: the name server receives the name. */
const lookup: Program = (call, shell) => {
  if (
    call.args.some(({ taint }) => (taint & (taints.secret | taints.secretVariable)) !== 0) ||
    hasTaint(call.stdin, taints.secret)
  )
    shell.report('D2', 'credential-exfil')
  return unknownStream(taints.network)
}

const aria: Program = (call, shell) => {
  const options = readOptions(call.args, {
    valued:
      'o out d dir i input-file x s j header on-download-complete on-download-start on-download-stop on-download-error',
  })
  const events = ['complete', 'start', 'stop', 'error'].map((event) => `on-download-${event}`)
  for (const command of valuesOf(options, ...events)) shell.runSmuggled(command)
  const folder = valuesOf(options, 'd', 'dir')[0]?.text ?? '.'
  const name = valuesOf(options, 'o', 'out')[0]?.text
  for (const { text } of options.operands)
    shell.write(arg(`${folder}/${name ?? fileOfUrl(text)}`), unknownStream(taints.network))
  judgeAddresses(options.operands, shell)
  return nothing
}

const databases =
  'psql mysql mariadb sqlite3 mongosh mongo redis-cli cqlsh clickhouse-client duckdb usql pgcli mycli sqlcmd influx'

const senders =
  'smbclient http https xh xhs httpie lwp-request lwp-download GET POST lynx links w3m elinks ftp lftp ncftpput ncftp tftp mail mailx mutt sendmail msmtp swaks telnet rclone gsutil s3cmd s5cmd mc b2 azcopy gh glab hub tea vercel netlify wrangler surge croc wormhole magic-wormhole ffsend transfer.sh 0x0 pastebinit termbin gist nc.traditional slackcat telegram-send websocat wscat grpcurl mosquitto_pub kafkacat kcat rsh rcp dropbox_uploader.sh ipfs hurl curlie aws az gcloud oci doctl ibmcloud'

/** `rclone purge PATH`: without a remote’s name it is a folder of this machine. */
const rclone: Program = (call, shell) => {
  const { operands } = readOptions(call.args)
  if (/^(purge|delete|rmdir|rmdirs|deletefile|cleanup)$/.test(operands[0]?.text ?? ''))
    for (const path of operands.slice(1)) if (!path.text.includes(':')) shell.remove(path)
  return sender(call, shell)
}

export const networkPrograms: Programs = {
  ...programsNamed(senders, sender),
  ...programsNamed(
    'dig nslookup host drill ping ping6 traceroute tracepath mtr whois kdig doggo dog delv fping hping3',
    lookup,
  ),
  ...programsNamed(databases, ({ stdin }, shell) => {
    if (hasTaint(stdin, taints.network)) shell.report('Q2', 'remote-code')
    if (!isKnown(stdin) && hasTaint(stdin, taints.secret)) shell.report('D2', 'credential-exfil')
    return unknownStream(stdin.taint)
  }),
  rclone,
  curl,
  ...programsNamed('wget wget2', wget),
  ...programsNamed('nc ncat netcat nc.openbsd', netcat),
  socat,
  ...programsNamed('aria2c axel', aria),
}
