/** Which words of programs are addresses, and which programs only print what they are given. Source: the manual of each program. */

import { curlValued, wgetValued } from '../programs/network.ts'
import { sshValued } from '../programs/remote-shells.ts'

/** Their words are text: no file is meant by them, and no machine. */
export const dataPrograms = new Set(
  'echo printf print test [ [[ true false : cd pushd popd export declare typeset local readonly alias unalias set unset shift read let trap kill sleep type which command man help history'.split(
    ' ',
  ),
)

/** Programs that show names of files, and none of their content. */
export const nameOnly = new Set('ls dir tree stat du df realpath readlink dirname basename find fd fdfind'.split(' '))

/** Their words are files, even those without a folder. */
export const fileVerbs = new Set(
  'git add,git rm,git mv,git restore,git archive,git diff,git show,git blame,git log,docker cp,kubectl cp,gh gist'.split(
    ',',
  ),
)

/** `host:path` among their words is another machine; with other verbs it is a pair of branches, or a file of a commit. */
export const remoteVerbs = new Set('git clone,git ls-remote,git remote,git submodule'.split(','))

/** Their first operand is a pattern or a program. */
export const textFirst = new Set('grep egrep fgrep zgrep rg ag ack sed awk gawk mawk jq yq perl'.split(' '))

interface AddressRow {
  /** Options that take a value. */
  readonly valued: string
  /** Operands that are addresses: the `first`, the first one before a command (`stops`), or `all`. */
  readonly first?: 'first' | 'stops' | 'all'
  /** Options whose values hold addresses between colons. */
  readonly options?: readonly string[]
  /** `host:path` is a file of another machine. */
  readonly remote?: true
}

const clients =
  'http https xh xhs httpie curlie lynx links w3m elinks telnet ftp lftp tftp websocat wscat GET POST HEAD axel aria2c lwp-request'
const lookups = 'dig nslookup host drill ping ping6 traceroute tracepath mtr whois kdig doggo dog delv fping hping3'

export const addressTable: Readonly<Record<string, AddressRow>> = {
  curl: {
    valued: curlValued,
    first: 'all',
    options: ['url', 'resolve', 'connect-to', 'x', 'proxy', 'preproxy', 'socks5', 'socks5-hostname', 'socks4'],
  },
  wget: { valued: wgetValued, first: 'all' },
  wget2: { valued: wgetValued, first: 'all' },
  nc: { valued: 'p s w i q e c x X T O I P m g G', first: 'first', options: ['x'] },
  ncat: { valued: 'p s w i q e c x X T O I P m g G proxy', first: 'first', options: ['proxy'] },
  netcat: { valued: 'p s w i q e c x X T O I P m g G', first: 'first', options: ['x'] },
  ssh: { valued: sshValued, first: 'stops', options: ['J', 'W', 'L', 'R', 'o'] },
  autossh: { valued: sshValued, first: 'stops', options: ['J', 'o'] },
  mosh: { valued: 'p', first: 'stops' },
  sftp: { valued: 'P i F l o c S J D b B R s X', first: 'first', options: ['J', 'o'] },
  scp: { valued: 'P i F l o c S J D X', options: ['J', 'o'], remote: true },
  rsync: { valued: '', remote: true },
  ...Object.fromEntries(clients.split(' ').map((name) => [name, { valued: 'o p t d b u H', first: 'all' }])),
  ...Object.fromEntries(lookups.split(' ').map((name) => [name, { valued: 'c i w t W s p', first: 'all' }])),
}
