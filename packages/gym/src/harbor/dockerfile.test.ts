import { describe, expect, test } from 'vitest'
import { parseDockerfile } from './dockerfile.ts'

const build = (body: string, options = {}) => parseDockerfile(`FROM debian:12\n${body}`, options)

test('a whole file is followed', () => {
  const file = parseDockerfile(`# syntax=docker/dockerfile:1
ARG TAG=12
FROM --platform=linux/amd64 debian:\${TAG} AS base

# where it lives
WORKDIR /app
ENV MODE=fast NAME="two words"
COPY --chown=agent:agent --chmod=755 run.sh ./
RUN apt-get update \\
    # not in a shell
    && apt-get install -y vim
USER agent
WORKDIR sub
RUN ["echo", "$MODE"]
CMD ["bash"]
`)
  expect(file).toMatchObject({
    image: 'debian:12',
    workdir: '/app/sub',
    user: 'agent',
    environment: { MODE: 'fast', NAME: 'two words' },
    notes: [
      { line: 3, level: 'warning' },
      { line: 15, level: 'note' },
    ],
  })
  expect(file.steps).toMatchObject([
    { kind: 'workdir', path: '/app' },
    {
      kind: 'copy',
      source: { kind: 'path', path: 'run.sh' },
      target: '/app',
      isInto: true,
      owner: 'agent:agent',
      mode: '755',
    },
    {
      kind: 'run',
      line: 9,
      argv: ['/bin/sh', '-c', 'apt-get update     && apt-get install -y vim'],
      user: null,
      workdir: '/app',
    },
    { kind: 'workdir', path: '/app/sub' },
    { kind: 'run', argv: ['echo', '$MODE'], user: 'agent', environment: { MODE: 'fast' } },
  ])
})

describe('variables:', () => {
  test.each<[string, string, Readonly<Record<string, string>>]>([
    ['the old form takes the rest of the line', 'ENV A one two', { A: 'one two' }],
    ['quotes are taken off', `ENV A='x $Y' B="q\\"r"`, { A: 'x $Y', B: 'q"r' }],
    ['a backslash keeps a blank', 'ENV A=x\\ y', { A: 'x y' }],
    ['one is put into another', 'ENV A=1\nENV B=$A${A}x', { A: '1', B: '11x' }],
    ['those of one line see what was before it', 'ENV A=1\nENV A=2 B=$A', { A: '2', B: '1' }],
    ['one that is not set is empty', 'ENV A=[$NONE]', { A: '[]' }],
    ['another value where one is not set', 'ENV A=${N:-x} B=${N:+y}', { A: 'x', B: '' }],
    ['arguments have defaults', 'ARG V=3\nENV A=$V', { A: '3' }],
    ['arguments hide behind variables', 'ARG V=3\nENV V=4\nENV A=$V', { V: '4', A: '4' }],
    ['a dollar by itself is one', 'ENV A="5$ b"', { A: '5$ b' }],
    ['a key may be called as what objects have', 'ENV A=$constructor', { A: '' }],
  ])('%s', (_name, body, want) => expect(build(body).environment).toEqual(want))
})

test('an argument before FROM counts after it when it is named again', () => {
  const text = 'ARG V=1\nFROM a:$V\nENV A=$V\nARG V\nENV B=$V'
  expect(parseDockerfile(text).environment).toEqual({ A: '', B: '1' })
  expect(parseDockerfile(text, { buildArguments: { V: '2' } })).toMatchObject({ image: 'a:2', environment: { B: '2' } })
})

describe('commands:', () => {
  test.each<[string, string, readonly string[]]>([
    ['a shell of its own', 'SHELL ["/bin/bash", "-ec"]\nRUN x', ['/bin/bash', '-ec', 'x']],
    ['a script in a here-document', 'RUN <<EOF\na\nb\nEOF', ['/bin/sh', '-c', 'a\nb\n']],
    [
      'a here-document for a command',
      'RUN cat <<-EOF > /x\n\ta\n\tEOF',
      ['/bin/sh', '-c', 'cat <<-EOF > /x\n\ta\n\tEOF'],
    ],
    ['a shift is no here-document', 'RUN echo $((1<<2))', ['/bin/sh', '-c', 'echo $((1<<2))']],
    ['nor is one in quotes', `RUN echo "a <<EOF b"`, ['/bin/sh', '-c', 'echo "a <<EOF b"']],
    ['variables are left to the shell', 'ENV A=1\nRUN echo $A', ['/bin/sh', '-c', 'echo $A']],
    ['brackets that are no list', 'RUN [ -f x ]', ['/bin/sh', '-c', '[ -f x ]']],
  ])('%s', (_name, body, want) => {
    const [step] = build(body).steps
    expect(step?.kind === 'run' ? step.argv : null).toEqual(want)
  })
})

describe('files:', () => {
  test.each<[string, string, object]>([
    [
      'to a file',
      'COPY a.txt /x/b.txt',
      { source: { path: 'a.txt' }, target: '/x/b.txt', isInto: false, owner: null, mode: null },
    ],
    ['into the working folder', 'WORKDIR /w\nCOPY a .', { target: '/w', isInto: true }],
    ['a list', 'COPY ["a b", "/x/"]', { source: { path: 'a b' }, target: '/x', isInto: true }],
    ['from the root of what can be copied', 'COPY /a /x', { source: { path: 'a' } }],
    ['ADD is the same for a file', 'ADD a /x', { source: { path: 'a' } }],
    ['a here-document', 'ENV A=1\nCOPY <<EOF /x\nv=$A\nEOF', { source: { kind: 'text', content: 'v=1\n' } }],
    ['a quoted one', `COPY <<"EOF" /x\nv=$A\nEOF`, { source: { kind: 'text', name: 'EOF', content: 'v=$A\n' } }],
  ])('%s', (_name, body, want) => expect(build(body).steps.at(-1)).toMatchObject(want))
})

test('several sources go into one folder', () => {
  expect(build('COPY a b /x').steps).toMatchObject([
    { source: { path: 'a' }, isInto: true },
    { source: { path: 'b' }, isInto: true },
  ])
})

test('instructions for containers are left out with a note each', () => {
  const { notes } = build('LABEL a=b\nEXPOSE 80\nCMD x\nENTRYPOINT x\nHEALTHCHECK NONE\nSTOPSIGNAL 9\nVOLUME /x')
  expect(notes.filter(({ level }) => level === 'note').map(({ line }) => line)).toEqual([2, 3, 4, 5, 6, 7, 8])
})

describe('refused with its line:', () => {
  test.each<[string, string, RegExp]>([
    ['no FROM', '', /there is no FROM/],
    ['an instruction before FROM', 'RUN x', /Dockerfile:1: RUN stands before FROM/],
    ['several stages', 'FROM a\nFROM b', /Dockerfile:2: a second FROM/],
    ['a FROM that is more', 'FROM a b', /Dockerfile:1: FROM a b cannot be read/],
    ['an unknown instruction', 'FROM a\n\nONBUILD RUN x', /Dockerfile:3: ONBUILD is not supported/],
    ['a maintainer', 'FROM a\nMAINTAINER x', /Dockerfile:2: MAINTAINER is not supported/],
    ['another stage’s files', 'FROM a\nCOPY --from=b /x /y', /Dockerfile:2: COPY --from=b is not supported/],
    ['a flag that is none of both', 'FROM a\nCOPY --link x /y', /Dockerfile:2: COPY --link is not supported/],
    ['an address', 'FROM a\nADD https://x/y /z', /Dockerfile:2: ADD https:\/\/x\/y would fetch it/],
    ['a repository', 'FROM a\nADD git@x:y.git /z', /Dockerfile:2: ADD git@x:y\.git would fetch it/],
    ['an archive', 'FROM a\nADD x.tar.gz /z', /Dockerfile:2: ADD x\.tar\.gz would unpack it/],
    ['a file outside', 'FROM a\nCOPY ../x /z', /Dockerfile:2: COPY \.\.\/x has "\.\."/],
    ['a file outside by a variable', 'FROM a\nENV U=..\nCOPY $U/x /z', /Dockerfile:3: COPY \.\.\/x has "\.\."/],
    ['one word', 'FROM a\nCOPY x', /Dockerfile:2: COPY x cannot be read/],
    ['a mount', 'FROM a\nRUN --mount=type=cache,target=/x y', /Dockerfile:2: RUN --mount is not supported/],
    ['no command', 'FROM a\nRUN', /Dockerfile:2: RUN names no command/],
    ['a here-document without an end', 'FROM a\nRUN <<EOF\nx', /Dockerfile:2: the here-document EOF has no end/],
    ['a variable without a value', 'FROM a\nENV A', /Dockerfile:2: ENV A cannot be read/],
    ['an expansion that shells alone have', 'FROM a\nENV A=${B#x}', /Dockerfile:2: \$\{B#x\} is not supported/],
    ['an argument that is none', 'FROM a\nARG 1=2', /Dockerfile:2: ARG 1=2 cannot be read/],
    ['a folder without a name', 'FROM a\nWORKDIR', /Dockerfile:2: WORKDIR names no folder/],
    ['a user that is none', 'FROM a\nUSER a b', /Dockerfile:2: USER a b cannot be read/],
    ['a shell that is no list', 'FROM a\nSHELL bash', /Dockerfile:2: SHELL is no list/],
    ['another escape character', '# escape=`\nFROM a', /Dockerfile:1: the escape character ` is not supported/],
    ['too many instructions', `FROM a\n${'RUN x\n'.repeat(2_001)}`, /more than 2000 instructions/],
    ['a file that is too long', `FROM a\n# ${'x'.repeat(1_024 * 1_024)}`, /longer than/],
  ])('%s', (_name, text, want) => expect(() => parseDockerfile(text)).toThrow(want))
})
