/** The rows of the table: what is shown of each scenario, and the goal agentpty has set itself. */

/**
 * `pick` takes one repetition's result and gives the values to pool, a count out of a total, or one number, which may be
 * marked as the price of a wrong answer.
 * `goal` bounds p50 and p99 in milliseconds, or the count.
 */
export const rows = [
  { scenario: 'cold', title: 'cold start → first session, ms', pick: times('ms'), goal: { p50: 600 } },
  { scenario: 'warm', title: 'start with daemon up → first session, ms', pick: times('ms'), goal: { p50: 200 } },
  { scenario: 'create', title: 'create → prompt, ms', pick: times('ms'), goal: { p50: 12 } },
  { scenario: 'echo', title: 'echo → output at caller, ms', pick: times('ms'), goal: { p50: 1.5, p99: 8 } },
  { scenario: 'echo', title: 'CPU per command, ms', pick: single('cpuMsPerCommand') },
  { scenario: 'ready', title: 'finished → caller told, ms', pick: times('ms'), goal: { p50: 2 } },
  {
    scenario: 'ready',
    title: 'told too early',
    pick: ({ falseReady, n }) => ({ count: falseReady, of: n }),
    goal: { count: 0 },
  },
  ...[5_000, 64_000, 200_000].map((size) => ({
    scenario: 'loss',
    title: `incomplete at exit, ${size.toLocaleString('en')} bytes`,
    pick: (result) => result[size] && { count: result[size].incomplete, of: result[size].runs },
    goal: { count: 0 },
  })),
  {
    scenario: 'orphan',
    title: 'processes left after close',
    pick: ({ orphans, before }) => ({ count: orphans, of: before }),
    goal: { count: 0 },
  },
  ...['small', 'seq', 'cat'].flatMap((kind) => [
    { scenario: 'flood', title: `flood ${kind}, MB/s`, pick: (result) => single('megabytesPerSecond')(result[kind]) },
    {
      scenario: 'flood',
      title: `flood ${kind}: neighbour's echo, ms`,
      pick: (result) => times('neighbour')(result[kind]),
    },
    { scenario: 'flood', title: `flood ${kind}: peak RSS, MB`, pick: (result) => single('rssPeakMb')(result[kind]) },
  ]),
  ...[10, 100, 500].flatMap((n) => [
    { scenario: 'scale', title: `${n} sessions: all prompts, ms`, pick: (result) => single('allPromptsMs')(result[n]) },
    { scenario: 'scale', title: `${n} sessions: PSS each, KB`, pick: (result) => single('pssPerSessionKb')(result[n]) },
    { scenario: 'scale', title: `${n} sessions: echo, ms`, pick: (result) => times('echo')(result[n]) },
  ]),
  {
    scenario: 'leak',
    title: 'shells left after create and close',
    pick: ({ shells, cycles }) => shells != null && { count: shells, of: cycles },
  },
  { scenario: 'leak', title: 'descriptors left', pick: single('descriptors') },
  ...['listing', 'progress', 'vim', 'pdb', 'build', 'top', 'schemas'].map((task) => ({
    scenario: 'tokens',
    title: `tokens, ${task}`,
    pick: (result) => ({ ...single('tokens')(result[task]), wrong: result[task]?.ok === false }),
  })),
]

function times(field) {
  return (result) => result?.[field]?.values?.length > 0 && { values: result[field].values }
}

/** One number per repetition; the table shows the median. */
function single(field) {
  return (result) => result?.[field] != null && { number: result[field] }
}
