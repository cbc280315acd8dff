/** Programs and parameters whose output is short, without slashes and blanks. Source: bash(1), Shell Variables; the programs' manuals. */

import { someMark } from '../walk/value.ts'

export const placeholderFor = {
  number: someMark,
  parameters: new Set('? $ ! # - RANDOM SECONDS LINENO UID EUID EPOCHSECONDS BASHPID SRANDOM COLUMNS LINES'.split(' ')),
  programs: new Set(['date', 'nproc', 'hostname', 'uname', 'arch', 'id', 'wc', 'uuidgen', 'getconf', 'tput']),
} as const
