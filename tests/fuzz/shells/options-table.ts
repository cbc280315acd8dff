/** Lines that change how a shell reads its lines and keys. */

const optionsBy: Readonly<Record<string, readonly string[]>> = {
  bash: [
    'set -o vi',
    'set -o emacs',
    'shopt -u interactive_comments',
    'set +H',
    'set -H',
    'HISTCONTROL=ignoredups',
    'HISTCONTROL=ignorespace',
    'shopt -s histverify',
    'shopt -s extglob',
    'shopt -s autocd',
    'set -o posix',
    'shopt -s histreedit',
    'PS2=',
    'history -c',
    'set -v',
    'shopt -u cmdhist',
  ],
  zsh: [
    'setopt interactive_comments',
    'bindkey -v',
    'bindkey -e',
    'setopt ignore_braces',
    'setopt hist_verify',
    'setopt no_bang_hist',
    'setopt csh_junkie_quotes',
    'setopt rc_quotes',
    'setopt hist_ignore_dups',
    'setopt sh_word_split',
    'setopt correct',
    'setopt no_short_loops',
    'setopt csh_junkie_history',
    'setopt ignore_close_braces',
    'emulate sh',
    'unsetopt prompt_cr',
  ],
  fish: [
    'fish_vi_key_bindings',
    'fish_default_key_bindings',
    'set -g fish_autosuggestion_enabled 0',
    'set fish_key_bindings fish_vi_key_bindings',
  ],
  other: ['set -o vi', 'set -o emacs', 'PS2=', 'set -v', 'stty erase x', 'stty kill y'],
}

export function optionsOf(shell: string): readonly string[] {
  return optionsBy[shell] ?? optionsBy.other ?? []
}
