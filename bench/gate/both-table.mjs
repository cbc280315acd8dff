/** The table of what both.mjs has played. */

const heading = [
  'rule',
  'stopped by words',
  'asked by the gate, too',
  'kept for undo',
  'only words',
  'of these succeeded',
  'still stopped in a gated terminal',
]

function groupedByRule(played) {
  const rules = new Map()
  for (const line of played) rules.set(line.words.rule, [...(rules.get(line.words.rule) ?? []), line])
  return rules
}

/** A line that fails has shown nothing about the gate: its program, its file or its server was not there. */
function rowsOf(stopped) {
  const rules = groupedByRule(stopped)
  const counted = [...rules].map(([rule, played]) => {
    const only = played.filter(({ asked, kept }) => asked.length === 0 && !kept)
    return [
      `\`${rule}\``,
      played.length,
      played.filter(({ asked }) => asked.length > 0).length,
      played.filter(({ asked, kept }) => asked.length === 0 && kept).length,
      only.length,
      only.filter(({ end }) => end === 'exit 0').length,
      played.filter(({ gated }) => gated.verdict !== 'allow').length,
    ]
  })
  return counted.sort((one, other) => other[1] - one[1])
}

export function tableOf(all) {
  const played = all.filter(({ error }) => error === undefined)
  const allowed = played.filter(({ words }) => words.verdict === 'allow')
  const alone = allowed.filter(({ asked }) => asked.length > 0).length
  const kept = allowed.filter(({ asked, kept }) => asked.length === 0 && kept).length
  const rows = [heading, heading.map(() => '---'), ...rowsOf(played.filter(({ words }) => words.verdict !== 'allow'))]
  return [
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
    `${played.length} lines. Of ${allowed.length} that words allow, the gate asked about ${alone} and kept files of ${kept}.`,
    `Guarded files were changed by ${played.filter(({ lost }) => lost.length > 0).length} lines. ${all.length - played.length} lines ended the play and were not counted.`,
  ].join('\n')
}
