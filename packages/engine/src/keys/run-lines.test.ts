import { expect, test } from 'vitest'
import { runLines } from './run-lines.ts'

test.each<[shell: string, command: string, typed: readonly string[]]>([
  ['zsh', "echo a # it's fine", ['echo a']],
  ['zsh', '# first\necho three', ['echo three']],
  ['zsh', '# alone', ['']],
  ['zsh', 'echo a#b ${#x} "# c" \'# d\' \\# e', ['echo a#b ${#x} "# c" \'# d\' \\# e']],
  ['zsh', 'cat <<E # x\n# stays\nE', ['cat <<E # x', '# stays', 'E']],
  ['zsh', 'echo "a\n# stays\nb" # goes', ['echo "a', '# stays', 'b"']],
  ['zsh', 'cat <<< "a" # goes', ['cat <<< "a"']],
  ['zsh', 'echo "it works!"', [`echo "it works"'!'""`]],
  ['bash', "# it's fine\necho a # b", ["# it's fine", 'echo a # b']],
  ['bash', `python3 -c "print('Hello!')"`, [`python3 -c "print('Hello"'!'"')"`]],
  [
    'bash',
    'echo "P@ss!word" "!!" "$!" "${!x}" "a ! b" "\\!x" \'!x\' !x',
    [`echo "P@ss"'!'"word" "!!" "$!" "\${!x}" "a ! b" "\\!x" '!x' !x`],
  ],
  ['zsh', 'echo "$(echo "a # b")" # c', ['echo "$(echo "a # b")" # c']],
  ['zsh', "echo $'it\\'s # a'", ["echo $'it\\'s # a'"]],
  ['zsh', 'ls (#i)readme', ['ls (#i)readme']],
  ['bash', `echo "$(echo 'a!b')"`, [`echo "$(echo 'a!b')"`]],
  ['bash', 'echo "`echo a!b`"', ['echo "`echo a!b`"']],
  ['bash', 'echo "${x:-!y}"', ['echo "${x:-!y}"']],
  ['zsh', 'echo "Hello ${name}!" # a', ['echo "Hello ${name}"\'!\'""']],
  ['fish', 'echo "it works!" # a', ['echo "it works!" # a']],
  ['bash', 'echo a\r\necho b\n\n', ['echo a', 'echo b']],
])('%s: %s', (shell, command, typed) => {
  expect(runLines(command, `/bin/${shell}`)).toEqual(typed)
})
