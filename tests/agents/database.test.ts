/** Databases read while SQLite writes them: every row is found, as SQLite's own library has it. */

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseFile } from '@agentpty/server/testing'
import { beforeEach, expect, test } from 'vitest'
import { scratchFolder } from '../harness/scratch.ts'

let folder: string
beforeEach(() => {
  folder = scratchFolder()
})

/** Random rows, long and short, some of them deleted again; a part stays in the log. */
const writer = `
import json, random, shutil, sqlite3, sys
folder, page, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(seed)
path = folder + '/own.db'
db = sqlite3.connect(path)
db.execute('pragma page_size=' + page)
db.execute('pragma journal_mode=wal')
db.execute('pragma wal_autocheckpoint=200')
db.execute('create table message(id text primary key, of text not null, at integer, data text)')
db.execute('create index by_time on message(of, at, id)')
for of in range(20):
    for at in range(random.choice([0, 1, 7, 120])):
        text = 'é' * random.choice([1, 90, 2000, 30000])
        db.execute('insert into message values(?,?,?,?)', ('m%d-%d' % (of, at), 'c%d' % of, at, text))
    if of % 4 == 3: db.execute('delete from message where of=? and at%3=0', ('c%d' % (of - 1),))
    db.commit()
rows = db.execute('select of, id, length(data) from message order by of, at desc, id desc').fetchall()
for end in ('', '-wal'): shutil.copy(path + end, folder + '/copy.db' + end)
json.dump(rows, open(folder + '/rows.json', 'w'))
`

test.each(['512', '1024', '4096', '65536'])(
  'every row that SQLite has written is found, with pages of %s bytes',
  async (page) => {
    for (const seed of ['1', '2']) {
      execFileSync('python3', ['-c', writer, folder, page, seed])
      const wanted: readonly (readonly [string, string, number])[] = JSON.parse(
        readFileSync(join(folder, 'rows.json'), 'utf8'),
      )
      const database = new DatabaseFile(join(folder, 'copy.db'))
      expect(wanted.length).toBeGreaterThan(20)
      for (let of = 0; of < 20; of++) {
        const found = await database.read(async (pages) => {
          const rows: unknown[] = []
          for await (const { values } of pages.rowsByIndex('message', 'by_time', `c${of}`))
            rows.push([values['of'], values['id'], String(values['data']).length])
          return rows
        })
        expect(found).toEqual(wanted.filter(([one]) => one === `c${of}`))
      }
      rmSync(join(folder, 'own.db'))
      for (const end of ['-wal', '-shm']) rmSync(join(folder, `own.db${end}`), { force: true })
    }
  },
)
