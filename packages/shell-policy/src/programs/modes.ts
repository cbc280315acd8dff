/** Programs that change the access rights of files. */

import { baseName, isAtOrBelow } from '../places/paths.ts'
import { isCredential, isProtectedRoot } from '../places/places.ts'
import { type Program, type Programs, programsNamed, type Shell } from '../walk/shell.ts'
import { type Arg, nothing, unknownStream } from '../walk/value.ts'
import { hasFlag, readOptions, valuesOf } from './options.ts'

/** `chmod`, `chown`, `chgrp`, `chattr`, `setfacl`: on a whole protected tree, or on what guards accounts. */
const changeMode: Program = ({ name, args }, shell) => {
  const options = readOptions(
    args.map((one) => (/^-[rwxXst]+$/.test(one.text) ? { ...one, text: `a${one.text}` } : one)),
    { valued: 'reference from m modify x remove M set' },
  )
  const isRecursive = hasFlag(options, 'R', 'recursive')
  const hasMode = !(name === 'setfacl' || valuesOf(options, 'reference').length > 0)
  const mode = hasMode ? (options.operands[0]?.text ?? '') : ''
  const adds = /^[0-7]?[4-7][0-7]{3}$|[ugoa]*\+[rwxX]*s|=[rwx]*s/.test(mode) && name === 'chmod'
  for (const path of options.operands.slice(hasMode ? 1 : 0)) {
    const resolved = shell.resolve(path.text)
    if (resolved === null) {
      shell.report(isRecursive ? 'Q2' : 'Q2', 'outside-write')
      continue
    }
    if (adds) shell.report(isInterpreterPath(resolved) ? 'D2' : 'Q2', 'privilege')
    if (isProtectedRoot(resolved, shell.state)) shell.report(...rootModeEffect(name, mode, isRecursive, resolved))
    else if (
      name !== 'setfacl' &&
      /^[0-7]*[4-7]00$|^(go|o|g)-|^u[+=]/.test(mode) &&
      isAtOrBelow(resolved, shell.state.home) &&
      !adds
    )
      continue
    else if (isCredential(resolved, shell.state) || /\/\.ssh$/.test(resolved)) shell.report('Q2', 'credential-read')
    else changeOf(path, resolved, shell)
  }
  return nothing
}

/** Changing the write access of a path has the same effect as writing to it; the file's content stays. */
function changeOf(path: Arg, resolved: string, shell: Shell): void {
  const { files } = shell.state
  const content = files.get(resolved)
  shell.write(path, content ?? unknownStream())
  if (content === undefined) files.delete(resolved)
}

function rootModeEffect(
  name: string,
  mode: string,
  isRecursive: boolean,
  path: string,
): readonly ['D2' | 'Q2', 'root-wipe' | 'privilege'] {
  if (isRecursive) return ['D2', 'root-wipe']
  const opens = name === 'chmod' && /[2367]$|o[+=]\S*w|a[+=]\S*w|^\+\S*w|^777/.test(mode)
  const closes = name === 'chmod' && /^0*$|^[0-7]?0/.test(mode)
  return opens || closes || path.includes('*') ? ['D2', opens ? 'privilege' : 'root-wipe'] : ['Q2', 'privilege']
}

/** Returns whether the path is a program that gives its caller a shell. */
export const isInterpreterPath = (path: string) =>
  /^(ba|z|da|k|c|tc|fi|)sh$|^(python|perl|ruby|node|php|lua|vim?|nano|less|find|awk|env|cp|dd|tee|busybox|nmap|gdb|tar|su|sudo|docker|rsync)[\d.]*$/.test(
    baseName(path),
  )

const setcap: Program = ({ args }, shell) => {
  const path = args.at(-1)
  const resolved = path === undefined ? null : shell.resolve(path.text)
  const isRemoval = args.some(({ text }) => text === '-r')
  shell.report(!isRemoval && (resolved === null || isInterpreterPath(resolved)) ? 'D2' : 'Q2', 'privilege')
  return nothing
}

export const modePrograms: Programs = {
  ...programsNamed('chmod chown chgrp setfacl', changeMode),
  chattr: (call, shell) =>
    changeMode(
      {
        ...call,
        args: call.args.map((one) =>
          /^[-+=][a-zA-Z]+$/.test(one.text) && !/^-[RVf]+$/.test(one.text)
            ? { ...one, text: one.text.replace(/^[-+=]/, 'attr') }
            : one,
        ),
      },
      shell,
    ),
  setcap,
}
