/**
 * Writes docs/tools.md from the table of verbs, docs/cli.md from that of commands and docs/screen.md from that of the
 * screen's cases, so that they cannot say what the product does not do.
 *
 *   npm run docs               writes them
 *   npm run docs -- --check    exit code 1 when one is not up to date
 *
 * It also fails if a field has no description, and if an example answer does not fit its schema.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Observation } from '@agentpty/protocol/call'
import { inputJsonSchema } from '@agentpty/protocol/mcp'
import { type ToolVerb, toolVerbs, type Verb, verbs } from '@agentpty/protocol/verbs'
import { isObject, type JsonObject } from '@agentpty/protocol/wire'
import { writeCommandPage } from './docs/command-page.ts'
import { writeScreenPage } from './docs/screen-page.ts'

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const problems: string[] = []

/** The fields that most results contain. */
const usual = fieldsOf(inputJsonSchema(Observation))
const pages = {
  'docs/tools.md': write(),
  'docs/cli.md': await writeCommandPage(),
  'docs/screen.md': writeScreenPage(),
}
if (problems.length === 0) finish()
for (const problem of problems) process.stderr.write(`docs: ${problem}\n`)
if (problems.length > 0) process.exitCode = 1

function finish(): void {
  for (const [name, text] of Object.entries(pages)) {
    const page = path.join(root, name)
    if (!process.argv.includes('--check')) {
      writeFileSync(page, text)
      process.stdout.write(`docs: wrote ${name}\n`)
    } else if (!existsSync(page) || readFileSync(page, 'utf8') !== text) {
      problems.push(`${name} is not up to date; run: npm run docs`)
    }
  }
}

function write(): string {
  const tools = Object.values(toolVerbs)
  return `${[
    '# Tools',
    '<!-- Written by `npm run docs` from packages/protocol/src; edit the verbs or scripts/docs/. -->',
    'With this page you know every parameter and result of the tools that an agent sees over MCP. Programs call the same verbs by their short name (`create`, `send`, …). `agentpty mcp` offers them to a client.',
    tools.map(({ tool, title }) => `* [\`${tool}\`](#${tool}): ${title.toLowerCase()}`).join('\n'),
    '## What most results hold',
    'A tool that touches a terminal answers with what changed and whose turn it is now. Fields without news are absent.',
    'The structured content is whole. The text, which most models read, leaves out what goes without saying: `sent`, the keys, an outcome that was met, a confidence that is not low.',
    table(['field', 'type', 'meaning'], resultRows('most results', usual)),
    'A call that cannot be done gives an error instead: `code`, `message` and `hint`, where the hint names the next move.',
    ...tools.map(section),
    '## terminal_ask_person',
    '`terminal_ask_person {terminalId}` is no verb: with clients that can put questions to their user (MCP elicitation, in either era) it puts what the program asks at this moment to the person, and types their answer. A secret (a prompt that does not echo) is asked for on a page of agentpty that the client only opens, so that neither it nor the model sees the answer; where it can open none, the person is sent to `agentpty attach`. The result is what the program said after it, with `answered: true`, or `answered: false` and a `note`. With `takeOver: "why"` it asks for a person to take the terminal over instead, in every client: `agentpty needs` and the page show that, and the result comes once it was given back (`outcome: "returned"`, with `handedBack`); until then a call returns in time with `timeout`, and the next goes on waiting.',
    '## Long calls',
    'A client that knows the Tasks extension (`io.modelcontextprotocol/tasks`) gets a handle for a call that lasts longer than two seconds, may wait for up to a day, and hears of the end through `subscriptions/listen` or `tasks/get`. For all others a wait ends after 53 seconds at most, with the outcome `timeout`, and can be gone on with.',
    '## Terminals as resources',
    '`terminal://ID/screen` is what a person would see, `terminal://ID/log` all that was printed, `terminal://ID/recording` the same with its times as an asciicast. Who subscribes is told once that one has changed, and again after reading it.',
    '## For programs only',
    'The library and the command line have these verbs as well:',
    table(
      ['verb', 'for example', 'what it does'],
      Object.entries<Verb>(verbs)
        .filter(([, { tool }]) => tool === null)
        .map(([name, { example, summary }]) => [`\`${name}\``, `\`${JSON.stringify(example)}\``, summary]),
    ),
  ].join('\n\n')}\n`
}

function section({ tool, summary, input, output, example, answer }: ToolVerb): string {
  const parameters = fieldsOf(inputJsonSchema(input))
  return [
    `## ${tool}`,
    summary,
    parameters.length === 0 ? 'It has no parameters.' : table(...parameterTable(tool, parameters)),
    ...resultText(tool, output),
    'For example',
    fenced({ tool, arguments: example }),
    'answers',
    fenced(checkedAnswer(tool, output, answer)),
  ].join('\n\n')
}

interface Field {
  readonly name: string
  readonly schema: JsonObject
  readonly required: boolean
}

function fieldsOf(schema: JsonObject): readonly Field[] {
  const { properties, required } = schema
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(isObject(properties) ? properties : {}).map(([name, field]) => {
    return { name, schema: isObject(field) ? field : {}, required: needed.includes(name) }
  })
}

function parameterTable(tool: string, fields: readonly Field[]): [readonly string[], readonly (readonly string[])[]] {
  const rows = fields.map(({ name, schema, required }) => {
    const standard = required ? '**required**' : defaultOf(schema)
    return [`\`${name}\``, typeOf(name, schema), standard, meaningOf(tool, name, schema)]
  })
  return [['parameter', 'type', 'default', 'meaning'], rows]
}

/** The default in the schema; one that depends on the caller is described in words. */
function defaultOf({ default: constant, defaultsTo }: JsonObject): string {
  if (typeof defaultsTo === 'string') return defaultsTo
  if (constant === undefined) return ''
  return typeof constant === 'number' ? `${constant}` : `\`${JSON.stringify(constant)}\``
}

/** The fields of a tool's result besides those described once; lists of terminals contain them inside. */
function resultText(tool: string, output: Verb['output']): readonly string[] {
  const fields = fieldsOf(inputJsonSchema(output))
  const isUsual = ({ name, schema }: Field) =>
    usual.some((one) => one.name === name && one.schema['description'] === schema['description'])
  const isInner = ({ name }: Field) => usual.some((one) => one.name === name)
  const inner = fields.flatMap(({ name: list, schema }) =>
    isObject(schema['items']) ? fieldsOf(schema['items']).map((field) => ({ ...field, list })) : [],
  )
  const innerRows = inner
    .filter((field) => !isInner(field))
    .flatMap(({ list, ...field }) => resultRows(tool, [field], `${list}[].`))
  const rest = [...fields, ...inner].some(isInner)
  return [
    `Its result holds${rest ? ', beside [the usual fields](#what-most-results-hold)' : ''}:`,
    table(
      ['field', 'type', 'meaning'],
      [
        ...resultRows(
          tool,
          fields.filter((field) => !isUsual(field)),
        ),
        ...innerRows,
      ],
    ),
  ]
}

function resultRows(tool: string, fields: readonly Field[], prefix = ''): readonly (readonly string[])[] {
  return fields.map(({ name, schema, required }) => {
    const type = typeOf(name, schema)
    return [`\`${prefix}${name}\``, required ? type : `${type}, optional`, meaningOf(tool, name, schema)]
  })
}

/** An answer that does not fit its schema, or has additional fields, would be wrong. */
function checkedAnswer(tool: string, output: Verb['output'], answer: unknown): unknown {
  const parsed = output.safeParse(answer)
  if (!parsed.success || JSON.stringify(sorted(parsed.data)) !== JSON.stringify(sorted(answer)))
    problems.push(`the answer of ${tool} does not fit its schema; take it from a run again`)
  return answer
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => a.localeCompare(b)))
}

// --- words ---

function meaningOf(tool: string, name: string, { description }: JsonObject): string {
  if (typeof description === 'string') return description
  problems.push(`the field ${name} of ${tool} says nothing of its meaning: give it one by describe()`)
  return ''
}

function typeOf(name: string, schema: JsonObject): string {
  if (name === 'waitFor') return 'condition or list'
  const { type, items, anyOf, enum: values, minimum, maximum } = schema
  if (Array.isArray(values)) return values.map((value) => `\`${value}\``).join(', ')
  if ('const' in schema) return `\`${schema['const']}\``
  if (Array.isArray(anyOf)) return anyOf.map((one) => typeOf('', isObject(one) ? one : {})).join(' or ')
  if (type === 'array') return `list of ${plural(typeOf('', isObject(items) ? items : {}))}`
  if (type === 'object') return name === 'env' ? 'object of strings' : 'object'
  if (type === 'integer' && isBound(maximum)) return `integer, ${isBound(minimum) ? minimum : 0} to ${maximum}`
  return String(type)
}

/** zod writes the largest safe integer as a bound, which is not worth showing. */
function isBound(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
}

function plural(word: string): string {
  return word.startsWith('`') || word.includes(',') ? word : `${word}s`
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

function fenced(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``
}
