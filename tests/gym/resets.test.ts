/** Each way of resetting files restores them completely, for root and for an ordinary user. */

import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ResetKind } from '@agentpty/protocol/gym'
import { resetKinds } from '@agentpty/protocol/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { behindWalls, users } from '../harness/behind-walls.ts'
import { GymClient } from './gym-client.ts'

/** Everything that a program could observe of the files: type, content, mode, and times. */
const look = `find . -printf '%P %y %m %l\\n' | sort; find . ! -name . -printf '%P %TY-%Tm-%TdT%TH:%TM:%.6TS\\n' | sort; find . -type f -exec sha256sum {} + | sort; getfattr -dR . 2>/dev/null || true`

type Change = readonly [name: string, command: string]

/** Changes that are missed by removals and walks based on text or whole paths. */
const unreachable: readonly Change[] = [
  [
    'names that are not UTF-8 are made',
    String.raw`touch $'\xff\xfe' folder/$'a\xc3'; mkdir $'\xf0'; echo x > $'\xf0'/x`,
  ],
  ['what no text names is removed', String.raw`rm -f $'caf\xe9' pipe`],
  [
    'pipes and sockets are left, one of them in place of a file',
    `mkfifo left folder/left; rm file; mkfifo file; python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('socket')"`,
  ],
  [
    'repositories are planted',
    'mkdir -p folder/.git/hooks planted/.git/hooks; echo x > folder/.git/HEAD; echo x > planted/.git/hooks/post-checkout; echo gitdir: /x > folder/inner/.git',
  ],
  [
    'folders are made in each other, deeper than a path may be',
    `python3 -c "import os; name = 'd' * 200; [(os.mkdir(name), os.chdir(name)) for level in range(3000)]; open('x', 'w')"`,
  ],
]

const changes: readonly Change[] = [
  ...unreachable,
  ['a file is changed', 'echo more >> file'],
  ['a file is changed and its time set back', 'stamp=$(stat -c @%Y file); echo other > file; touch -d $stamp file'],
  ['a file of the same size replaces another', 'printf 1234 > new; mv new four'],
  ['files and folders are removed', 'rm -rf folder file empty'],
  ['a folder is removed and made again', 'rm -rf folder; mkdir folder; echo x > folder/x'],
  ['folders are renamed', 'mv folder other; mv empty folder'],
  ['a folder becomes a file, and a file a folder', 'rm -rf folder file; echo x > folder; mkdir file; echo x > file/x'],
  ['a link leads elsewhere', 'ln -sfn /etc link'],
  ['a folder becomes a link', 'rm -rf folder; ln -s /usr folder'],
  ['rights are taken away', 'chmod 0 file folder; chmod 777 four'],
  ['a folder cannot be looked into', 'mkdir -p deep/er; echo x > deep/er/x; chmod 0 deep/er deep'],
  [
    'odd names are made',
    `mkdir -- -rf; touch 'a b' $'new\\nline' '*'; mkdir .git; echo x > .git/HEAD; echo '*' > .gitignore`,
  ],
  ['much is written', 'head -c 5000000 /dev/urandom > big; for i in $(seq 300); do echo $i > n$i; done'],
  ['times are changed', 'touch -d 2001-01-01 . folder file'],
  [
    'a mapped file is written',
    `python3 -c "import mmap; f=open('four','r+b'); m=mmap.mmap(f.fileno(),4); m[0:4]=b'XXXX'; m.close()"`,
  ],
  [
    'a folder is left full of programs',
    '(while true; do date > alive; sleep 0.01; done) > /dev/null 2>&1 & sleep 0.05',
  ],
]

describe.each(users)('as %s', (_name, userId) => {
  const walls = behindWalls(userId)
  let gym: GymClient
  let files: string

  beforeAll(async () => {
    gym = new GymClient(walls.client)
    files = walls.outside('files')
    mkdirSync(join(files, 'folder/inner'), { recursive: true })
    mkdirSync(join(files, 'empty'))
    writeFileSync(join(files, 'file'), 'content\n')
    writeFileSync(join(files, 'four'), 'four')
    writeFileSync(join(files, 'folder/inner/deep'), 'deep\n')
    writeFileSync(join(files, '.gitattributes'), '* text=auto eol=crlf filter=odd\n')
    writeFileSync(Buffer.concat([Buffer.from(`${files}/caf`), Buffer.from([0xe9])]), 'named in another encoding\n')
    execFileSync('mkfifo', [join(files, 'pipe')])
    symlinkSync('folder/inner', join(files, 'link'))
    symlinkSync('nowhere', join(files, 'broken'))
    chmodSync(join(files, 'file'), 0o640)
    chmodSync(join(files, 'folder'), 0o750)
    utimesSync(join(files, 'four'), 1_000_000_000, 1_000_000_000)
    utimesSync(join(files, 'empty'), 1_000_000_000, 1_000_000_000)
    execFileSync('chown', ['-hR', `${userId}:${userId}`, files])
    chownSync(files, userId, userId)
  })

  /** The environment folders that still exist. */
  const leftOf = (environmentId: string) =>
    readdirSync(join(walls.instance.paths.cacheFolder, 'gym'), { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.split('/').includes(environmentId),
    )

  describe.each<[ResetKind]>(resetKinds.map((kind) => [kind]))('%s', (resetBy) => {
    test('whatever an episode does to its files, the next one finds them restored', async () => {
      const environment = await gym.make({ files, resetBy })
      expect(environment.made).toMatchObject({ resetBy, isolation: 'container' })
      await environment.reset()
      const before = await environment.output(look)
      for (const [what, change] of changes) {
        await environment.step(change)
        await environment.reset()
        expect([what, await environment.output(look)]).toEqual([what, before])
      }
      await environment.close()
    })

    test('whatever an episode leaves, closing its environment removes it', async () => {
      for (const [what, change] of unreachable) {
        const environment = await gym.make({ files, resetBy })
        await environment.reset()
        await environment.step(change)
        await environment.close()
        expect([what, ...leftOf(environment.made.environmentId)]).toEqual([what])
      }
    })

    test('files outside the working folder are new as well, and the given files are not changed', async () => {
      const environment = await gym.make({ files, resetBy })
      await environment.reset()
      await environment.step(
        'echo x > /tmp/x; echo x > ~/x; echo x > /logs/verifier/reward.txt; echo x > /dev/shm/x; rm -rf *',
      )
      await environment.reset()
      expect(await environment.output('ls -A /tmp ~ /logs/verifier /dev/shm')).not.toMatch(/x/)
      await environment.close()
      expect(execFileSync('cat', [join(files, 'file')], { encoding: 'utf8' })).toBe('content\n')
    })

    test('without files the working folder is empty each time', async () => {
      const environment = await gym.make({ resetBy })
      for (let episode = 0; episode < 3; episode++) {
        await environment.reset()
        expect(await environment.output('ls -A | wc -l; pwd')).toBe('0\n/app\n')
        await environment.step('mkdir a; echo x > a/b')
      }
      await environment.close()
    })
  })
})
