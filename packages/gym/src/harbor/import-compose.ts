/** docker-compose.yaml of terminal-bench 1: one usual service becomes lines of the Dockerfile; anything more stays a compose file. */

import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { malformed } from '../json-text.ts'
import { jsonFileText } from '../whole-file.ts'

export type ImportedCompose =
  /** `lines`: added to the Dockerfile. */
  | { readonly kind: 'image'; readonly lines: readonly string[]; readonly notes: readonly string[] }
  | { readonly kind: 'compose'; readonly file: string; readonly notes: readonly string[] }

/** The agent's service, as the old harness documents it; adapters have others. */
const usualName = 'client'
const newName = 'main'
/** The folders of logs, which Harbor mounts automatically. */
const logVolume = /\$\{T_BENCH_(?:TASK_(?:AGENT_)?LOGS_PATH|CONTAINER_(?:AGENT_)?LOGS_PATH)\}/
/** Keys that every task's service has. */
const usualKeys = new Set(['build', 'image', 'container_name', 'command', 'environment', 'volumes'])

const variables: ReadonlyMap<string, string> = new Map([
  ['T_BENCH_TASK_DOCKER_CLIENT_IMAGE_NAME', 'MAIN_IMAGE_NAME'],
  ['T_BENCH_TEST_DIR', 'TEST_DIR'],
])

/** `compose`: the file as a value. Errors: `invalid_input`. */
export function importCompose(compose: unknown, file: string): ImportedCompose {
  const services = isObject(compose) && isObject(compose['services']) ? compose['services'] : null
  const oldName = agentsName(services)
  const client = services?.[oldName]
  if (services === null || !isObject(client) || !isObject(compose))
    throw malformed(file, { path: ['services', oldName], message: 'is missing' }, 'The agent’s service has this name.')
  if (oldName !== newName && Object.hasOwn(services, newName))
    throw malformed(file, { path: ['services', newName], message: `stands beside "${oldName}"` }, 'Rename it.')
  const isUsual = Object.keys(services).length === 1 && isUsualService(client) && hasNothingElse(compose)
  if (isUsual) return { kind: 'image', ...linesOf(client) }
  const renamed = Object.entries(services).map(([name, service]): [string, unknown] =>
    name === oldName ? [newName, withoutLogs(service)] : [name, service],
  )
  const all = renameReferences({ ...compose, services: Object.fromEntries(renamed) }, oldName)
  const notes = ['docker-compose.yaml is kept, without its comments: it has more than the usual service.']
  return { kind: 'compose', file: jsonFileText(all), notes }
}

/** The first service where none has the usual name, as Harbor's own importer takes it. */
function agentsName(services: JsonObject | null): string {
  const names = Object.keys(services ?? {})
  return names.includes(usualName) ? usualName : (names[0] ?? usualName)
}

const hasNothingElse = (compose: JsonObject): boolean =>
  Object.keys(compose).every((key) => key === 'services' || key === 'version' || key === 'name')

function isUsualService(service: JsonObject): boolean {
  const { build, volumes } = service
  const isBuilt =
    typeof build === 'string' ||
    build === undefined ||
    (isObject(build) && Object.keys(build).every((key) => key === 'dockerfile' || key === 'context'))
  const isHere = !isObject(build) || (build['dockerfile'] ?? 'Dockerfile') === 'Dockerfile'
  return (
    isBuilt && isHere && Object.keys(service).every((key) => usualKeys.has(key)) && listOf(volumes).every(isLogVolume)
  )
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isLogVolume = (volume: unknown): boolean => typeof volume === 'string' && logVolume.test(volume)

function withoutLogs(service: unknown): unknown {
  if (!isObject(service)) return service
  const { container_name: _name, volumes, ...rest } = service
  const kept = listOf(volumes).filter((volume) => !isLogVolume(volume))
  return kept.length === 0 ? rest : { ...rest, volumes: kept }
}

/** Variables with a value of their own are the image's; those that the old harness fills in are not needed. */
function linesOf({ environment, command }: JsonObject) {
  const pairs = isObject(environment)
    ? Object.entries(environment).map(([name, value]) => `${name}=${scalarText(value)}`)
    : listOf(environment).filter((one) => typeof one === 'string')
  // Anything else than a name would be lines of the Dockerfile.
  const isOwn = (pair: string) => /^[A-Za-z_]\w*=[^$]*$/.test(pair)
  const lines = pairs.filter(isOwn).map((pair) => {
    const at = pair.indexOf('=')
    return `ENV ${pair.slice(0, at)}=${JSON.stringify(pair.slice(at + 1))}`
  })
  const lost = pairs.filter((pair) => !isOwn(pair) && !pair.includes('T_BENCH_'))
  const notes = lost.map((pair) => `The variable ${pair} comes from the host; write it into [environment.env].`)
  const waits = command === undefined || JSON.stringify(command).includes('sleep')
  return { lines, notes: waits ? notes : [...notes, `The command ${JSON.stringify(command)} is not started.`] }
}

const scalarText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

function renameReferences(value: unknown, oldName: string): unknown {
  if (typeof value === 'string')
    return value
      .replaceAll(/\$\{(T_BENCH_\w+)\}/g, (all, name: string) => {
        const renamed = variables.get(name)
        return renamed === undefined ? all : `\${${renamed}}`
      })
      .replace(/^service:(.*)$/, (all, name: string) => (name === oldName ? `service:${newName}` : all))
  if (Array.isArray(value)) return value.map((one) => renameReferences(one, oldName))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'depends_on' ? renamedDependence(inner, oldName) : renameReferences(inner, oldName),
    ]),
  )
}

function renamedDependence(value: unknown, oldName: string): unknown {
  const renamed = (name: unknown) => (name === oldName ? newName : name)
  if (Array.isArray(value)) return value.map(renamed)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [String(renamed(name)), inner]))
}
