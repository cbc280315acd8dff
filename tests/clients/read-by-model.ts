/** The input of a model, from the dumps of the scripted one. */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dialects } from '../../tools/fake-model/dialects/index.ts'
import { locate } from '../../tools/fake-model/position.ts'
import { route } from '../../tools/fake-model/routes.ts'
import { compileScript, type WrittenScript } from '../../tools/fake-model/script.ts'

export interface ReadByModel {
  /** The tool calls of the turn, in order. */
  readonly results: readonly string[]
  /** The request that contains all of them, as received. */
  readonly request: string
}

export function readByModel(script: WrittenScript, dumps: string): ReadByModel {
  const compiled = compileScript(script)
  const requests = readdirSync(dumps).map((name): ReadByModel => {
    const request = readFileSync(join(dumps, name), 'utf8')
    const { method, url, body } = JSON.parse(request)
    const to = route(method, new URL(url, 'http://fake').pathname)
    const isAsked = to.to === 'dialect'
    return { request, results: isAsked ? locate(compiled, dialects[to.dialect].read(body, to.inPath)).results : [] }
  })
  const nothing: ReadByModel = { request: '', results: [] }
  return requests.reduce((most, one) => (one.results.length > most.results.length ? one : most), nothing)
}
