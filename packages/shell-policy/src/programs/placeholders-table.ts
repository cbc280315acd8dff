/**
 * Programs and parameters whose output is something short that holds neither a slash nor a blank.
 * Source: bash(1), section Shell Variables, and the manuals of the programs.
 */

import { someMark } from '../walk/value.ts'

export const placeholderFor = {
  number: someMark,
  parameters: new Set('? $ ! # - RANDOM SECONDS LINENO UID EUID EPOCHSECONDS BASHPID SRANDOM COLUMNS LINES'.split(' ')),
  programs: new Set(['date', 'nproc', 'hostname', 'uname', 'arch', 'id', 'wc', 'uuidgen', 'getconf', 'tput']),
} as const
