/** The text before the cursor, where it asks for a secret or for a key. */

import { saysHowToEnd } from './prompt-shape.ts'

const secretWords = [
  'pass(?:word|phrase|code|key)',
  'p(?:in|uk)(?: code)?',
  'cv[cv]2?',
  'secret',
  'token',
  String.raw`(?:(?:un)?lock|access|auth\w*|security|verification|recovery) code`,
  '(?:access|api|encryption|master|private|vault|recovery) key',
].join('|')
/** `Password length: `, `Token file: `: text about a secret, which is shown. */
const aboutSecret = String.raw`(?:age|count|expiry|file|hint|id|length|life ?time|manager|name|path|policy|size|store|type)\b`
const secret = new RegExp(String.raw`\b(?:${secretWords})\b(?! ${aboutSecret})[^\n]{0,40}$`, 'i')
/** `Username for the token: `, but not `User PIN: ` or `Login password for bob: `. */
const loginName = new RegExp(
  String.raw`^[^:]*\b(?:user(?:name)?|login)\b(?!(?:['’]s)? (?:${secretWords}|code)\b)[^:]*:`,
  'i',
)
/** Text behind the question that is no hint in brackets and no star: the program shows what is typed. */
const shownAnswer = /(?::| [›>]) (?=\S)[^\s*•●▪([<](?:[^\n]*[^\s:?›>])?\s*$/u

/** Line editors of their own draw a password as nothing, or as stars. */
export function asksForSecret(before: string): boolean {
  return secret.test(before) && !loginName.test(before) && !shownAnswer.test(before)
}

const codeWords = [
  '[ht]?otp',
  '(?:confirmation|log-?in|sign-?in|backup|one[- ]?time|mfa|2fa|two[- ]factor) code',
  String.raw`(?:\d|four|six|eight)[- ]digit code`,
  String.raw`code (?:from|in|on|sent to) (?:your|the) (?:\w+ )?(?:phone|app|authenticator|device|e-?mail|sms|token|card)`,
].join('|')
const code = new RegExp(
  String.raw`\b(?:${codeWords})\b[^\n]{0,40}$|^\W*(?:(?:enter|type) )?(?:(?:the|your) )?code ?[:›>]\s*[*•●▪]*$`,
  'iu',
)

/** `One-time code: `: many programs show it, in a line editor. A program that reads it key by key hides it. */
export function asksForCode(before: string): boolean {
  return code.test(before) && !shownAnswer.test(before)
}

/** `Retype: `, `Confirm: `: the same text once more. */
export function asksOnceMore(before: string): boolean {
  return /^\W*(?:re-?(?:type|enter|peat)|again|confirm|verify|once more)\b[^\n]{0,40}$/i.test(before)
}

/** `Code: ***`: a line editor of its own that hides what is typed. */
export function showsStars(before: string): boolean {
  return /[:?>›] ?[*•●]+$/u.test(before)
}

/** A question that one key answers. */
export function asksForKey(before: string): boolean {
  return /\b(?:y\/n|yes\/no|any key|press)\b|\[[a-z](?:[/|,]?[a-z])+\]|\([a-z](?:[/|,][a-z])+\)/i.test(before)
}

/** `Overwrite it? (y/n) `: without a default for Enter, one letter is the whole answer to a program that reads keys. */
export function asksYesOrNo(before: string): boolean {
  return /[[(]y\/n[\])]\s?[:?]?\s*$/.test(before)
}

/** `[***      ]`, with the cursor behind the stars: a meter that the keys fill. */
export function isMeter(before: string, line: string): boolean {
  return /^\s*[[|][*#=+.█▓▒░>-]*$/u.test(before) && /^\s*[[|][*#=+.█▓▒░>-]* +[\]|]\s*$/u.test(line)
}

const anyKeyAsked = /\b(?:press (?:any|a|another)|any|another) key\b[^\n]{0,30}$/i

const oneKey = String.raw`['"<[(]?(?:\w|f\d+|esc|enter|space|tab)['">\])]?`
const oneOfKeys = new RegExp(
  String.raw`\b(?:press|hit|strike) (?:one of )?${oneKey}(?:(?:, ?(?:or )?| or |/)${oneKey})+\s?[:?.…]*\s*$`,
  'i',
)

/** "Press any key", `Press one of m, c, b: `: no line will be read there, whatever the program waits with. */
export function asksForAnyKey(before: string): boolean {
  return anyKeyAsked.test(before) || oneOfKeys.test(before)
}

const keyInTime = /\b(?:any key|(?:press|hit|strike|push|tap) \S+)\b[^\n]{0,60}?\b\d{1,3} ?(?:s|sec\w*)?\W*$/i

/** The time is before the key. ctrl+C ends a program that reads no keys, too. */
const timeAndKey =
  /\bin \d{1,3} ?(?:s|sec\w*)\b[^\n]{0,40}?\b(?:press|hit|strike|push|tap) (?!\^|ctrl|control|c-|to\b)\S+[^\n]{0,40}$/i

/** `Hit any key to stop: 9`, `Starting in 9 s, press a key for the menu`: a key may be pressed until the time is over. */
export function asksForKeyInTime(before: string): boolean {
  return keyInTime.test(before) || (timeAndKey.test(before) && !saysHowToEnd(before))
}

const keyForEach = /\b(?:press|hit|type|use) \S{1,7} to \w[^\n]*$/i

const keyList =
  /[[(][a-z?]{2,20}(?:\.{3})?[\])],? (?:or )?\? for \w[^\n]{0,20}[:?] ?$|\[yn[a-z?]{2,20}(?:\.{3})?\][:?]? ?$/i

/** `[yNrq], or ? for help: `: letters that each do something. A line editor takes words. */
export function listsKeys(before: string): boolean {
  return keyList.test(before)
}

const keyAsked =
  /(?:\by\/n|\bany key|\bpress (?:enter|return|space)\b.*|[[(]\w(?:[/|,][\w^*]+)+|[[(]yn\w*)(?:\b.{0,12}continue)?[\s:?.…)\]]*$/i

/** `Really quit? `, `[Y]es, (N)o: `, `([yes]/no): ` */
const confirmation =
  /(?:\breally\b[^\n?]{0,40}|\bquit|\bsure|\bsave (?:changes|changed|modified)\b[^\n?]{0,30})\? ?$|[[(]y(?:es)?[\])](?:es)?[,/] ?[[(]?n[\])]?o?\)?\s?: ?$/i

/** `press a to rerun, q to quit`: what each key does. */
export function namesKeys(line: string): boolean {
  return keyForEach.test(line)
}

/** `press h + enter to show help`: a command that may be typed at any time. */
export function namesCommand(line: string): boolean {
  return /\bpress \S{1,7} \+ (?:enter|return)\b/i.test(line)
}

/** The last words before the cursor ask for one key: the program reads nothing else there. */
export function endsAskingForKey(before: string): boolean {
  return keyAsked.test(before) || confirmation.test(before) || asksForAnyKey(before)
}
