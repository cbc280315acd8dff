/** The rows of the table: the shown values of each scenario, and agentpty's goals on an idle machine of two cores. */

/** In every program that polls, as in one that only reads. */
const near = { p50: 3, p99: 20 }

/**
 * `pick` takes one repetition's result and gives `values` to pool, a `count` out of a total, one `number` (which may be marked
 * as the price of a `wrong` answer), or why it `failed`; nothing where the row does not apply.
 *
 * `goals` bounds them by peer: `p50` and `p99` of values, the most a `count` or a `number` may be.
 */
export const rows = [
  row('cold', 'cold start → first session, ms', times('ms'), { p50: 600 }),
  row('warm', 'start with daemon up → first session, ms', times('ms'), { p50: 200 }),
  row('create', 'create → prompt, ms', times('ms'), { p50: 12 }),

  row('echo', 'echo → output at caller, ms', times('ms'), { p50: 1.2, p99: 6 }, { 'agentpty-socket': { p50: 0.6 } }),
  row('echo', 'CPU of all servers per command, ms', single('cpuMsPerCommand'), { number: 1 }),

  row('ready', 'finished → caller notified, ms', times('ms'), { p50: 1.5 }),
  row('ready', 'notified too early', ({ falseReady, n }) => ({ count: falseReady, of: n }), { count: 0 }),

  ...turnRows({
    bash: {},
    zsh: near,
    fish: near,
    'fish with its own prompt': undefined,
    python: {},
    sqlite: {},
    gdb: near,
    node: near,
    less: near,
    vim: near,
  }),

  ...[5_000, 64_000, 200_000].map((size) =>
    row('loss', `incomplete at exit, ${size.toLocaleString('en')} bytes`, (result) => incomplete([result[size]])),
  ),
  row('loss', 'incomplete of all fast exits', (result) => incomplete(Object.values(result)), { count: 0 }),

  row('orphan', 'processes left after close', ({ orphans, before }) => ({ count: orphans, of: before }), { count: 0 }),

  ...floodRows('small', 'seq 1 500000', {}),
  ...floodRows('seq', 'seq 1 5000000', { wall: 4, rss: 250, neighbour: { p50: 4, p99: 15 } }),
  ...floodRows('cat', 'cat of 100 MB', { wall: 4, rss: 250, neighbour: { p50: 4, p99: 15 } }),

  ...scaleRows(10, {}),
  ...scaleRows(100, {}),
  ...scaleRows(500, { made: 3 }),
  ...scaleRows(1_000, { made: 7, base: 120, each: 100, rest: 0.1, echo: { p50: 1.5, p99: 8 } }),

  row('leak', 'create and close: not done', ({ cycles, of }) => ({ count: of - cycles, of })),
  row('leak', 'descriptors left', single('descriptors'), { number: 0 }),
  row('leak', 'processes left', single('processes'), { number: 0 }),
  row('leak', 'memory left, MB', single('rssMb'), { number: 5 }),

  ...Object.entries({ listing: 2_730, progress: 40, vim: 400, pdb: 300, build: 3_000, top: 700, schemas: 1_500 }).map(
    ([task, most]) => row('tokens', `tokens, ${task}`, part(task, tokens), { number: most }),
  ),
  row('tokens', 'tokens, all of these', (result) => totalTokens(Object.values(result))),
]

/** A row, its goal for agentpty as agents use it, and goals for its other interfaces. */
function row(scenario, title, pick, goal, others = {}) {
  return { scenario, title, pick, goals: goal ? { agentpty: goal, ...others } : others }
}

function turnRows(goals) {
  return Object.entries(goals).flatMap(([program, goal]) => [
    row('turn', `${program}: typed → the answer that it waits, ms`, part(program, times('ms')), goal),
    row('turn', `${program}: the same traced, without its own time, ms`, part(program, times('after'))),
    row('turn', `${program}: traced, its own time, ms`, part(program, times('own'))),
    row('turn', `${program}: answered before it waited`, part(program, early), { count: 0 }),
  ])
}

function early({ early: count, n }) {
  return n && { count, of: n }
}

function floodRows(kind, command, { wall, rss, neighbour }) {
  const of = (pick) => part(kind, pick)
  const unaccounted = wall && { number: 0 }
  return [
    row('flood', `${command}: until its end is proven, s`, of(seconds('wallMs')), wall && { number: wall }),
    row('flood', `${command}: bytes unaccounted for`, of(single('bytesUnaccounted')), unaccounted),
    row('flood', `${command}: peak memory of the servers, MB`, of(single('rssPeakMb')), rss && { number: rss }),
    row('flood', `${command}: another session's echo, ms`, of(times('neighbour')), neighbour),
  ]
}

function scaleRows(n, { made, base, each, rest, echo }) {
  const of = (pick) => part(n, pick)
  const title = (text) => `${n.toLocaleString('en')} sessions: ${text}`
  return [
    row('scale', title('made, all prompts there, s'), of(seconds('allPromptsMs')), made && { number: made }),
    row('scale', title('memory without any, MB'), of(single('basePssMb')), base && { number: base }),
    row('scale', title('memory each, KB'), of(single('pssPerSessionKb')), each && { number: each }),
    row('scale', title('CPU in the 20 s until rest, ms'), of(single('cpuUntilRestMs'))),
    row('scale', title('CPU at rest, % of a core'), of(single('idleCpuPercent')), rest && { number: rest }),
    row('scale', title('echo in one, ms'), of(times('echo')), echo),
  ]
}

/** A scenario's result may contain several, each of which may have failed separately. */
function part(name, pick) {
  return (result) => {
    const one = result[name]
    if (one?.error) return { failed: one.error }
    return one && pick(one)
  }
}

function times(field) {
  return (result) => result[field]?.values?.length > 0 && { values: result[field].values }
}

/** One number per repetition; the table shows the median. */
function single(field) {
  return (result) => result[field] != null && { number: result[field] }
}

function seconds(field) {
  return (result) => result[field] != null && { number: result[field] / 1e3 }
}

function incomplete(parts) {
  const measured = parts.filter(Boolean)
  if (measured.length === 0) return undefined
  const sum = (field) => measured.reduce((total, one) => total + one[field], 0)
  return { count: sum('incomplete'), of: sum('runs') }
}

function tokens(task) {
  return task.tokens != null && { number: task.tokens, wrong: task.ok === false }
}

/** A sum only if every task could be measured; otherwise a peer that cannot do one would seem cheap. */
function totalTokens(tasks) {
  if (tasks.some((task) => task.tokens == null)) return undefined
  return {
    number: tasks.reduce((sum, task) => sum + task.tokens, 0),
    wrong: tasks.some((task) => task.ok === false),
  }
}
