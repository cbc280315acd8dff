# Shell integration for zsh: ZDOTDIR points here, so zsh reads this file first. It gives ZDOTDIR back at once, and every
# later file is read by zsh itself from where the user has it: histories and completion caches never land here.
#
# It promises: the user's files, prompts, hooks, options, $? and environment work as without it, and no fork per prompt or
# command. Marks: OSC 133 A before the prompt, B at its end, C before a command's output, D;code after it (FinalTerm),
# P;k=s before the prompt for the rest of a command; OSC 633 E;line;nonce before C (VS Code); OSC 7 with the directory
# when it changed.
#
# A private key (CSI 5099 ~) makes it report the text of its line editor: OSC 633 L;state;line;nonce;program. The
# state is 0 for a text that zsh can run as it is, with the program that zsh has read in it, and 2 for one that is not
# finished or not valid. CSI 5098 ~ expands the history references in that text. CSI 5097 ~ leaves the command mode of vi,
# so that text which follows is inserted.

if [[ -n ${AGENTPTY_USER_ZDOTDIR+set} ]]; then
  export ZDOTDIR=$AGENTPTY_USER_ZDOTDIR
else
  unset ZDOTDIR
fi
unset AGENTPTY_USER_ZDOTDIR

if [[ -o interactive ]]; then
  typeset -g __agentpty_nonce=${AGENTPTY_NONCE-}
  typeset -g __agentpty_cwd=             # as told last
  typeset -g __agentpty_ps1=             # as wrapped last
  typeset -g __agentpty_ps2=
  typeset -gi __agentpty_began=0         # there was a prompt before this one
  typeset -g __agentpty_eol_mark=        # ours, while it is in place
  typeset -ga __agentpty_users_eol_mark  # theirs meanwhile; empty when they have none

  # Functions are defined before the user's files are read: aliases made there cannot change them. `emulate -L` gives
  # the user's options back when a function returns; without multibyte a string is its bytes, which is what URLs encode.

  # Runs before the first prompt: all files are read, and scheduled commands come behind all precmd hooks.
  __agentpty_begin() {
    local code=$?
    builtin emulate -L zsh -o no_xtrace -o no_err_exit -o no_err_return
    builtin unfunction __agentpty_begin
    precmd_functions=(__agentpty_before ${precmd_functions:#__agentpty_*} __agentpty_after)
    preexec_functions=(${preexec_functions:#__agentpty_*} __agentpty_preexec)
    __agentpty_bind_report
    __agentpty_before
    __agentpty_after
    return code
  }
  if builtin zmodload zsh/sched 2>/dev/null; then
    builtin sched +00:00 __agentpty_begin
  else
    precmd_functions=(__agentpty_begin)
  fi

  # First of the hooks, so that what the others print is not a part of the command's output.
  __agentpty_before() {
    local code=$? told=0
    if [[ -o prompt_sp && -o prompt_cr && -n $__agentpty_eol_mark && ${PROMPT_EOL_MARK-} == "$__agentpty_eol_mark" ]]; then
      told=1
    fi
    builtin emulate -L zsh -o no_xtrace -o no_err_exit -o no_err_return
    # Also after a line that ran nothing: of one that zsh refused, this is all that is told.
    if (( __agentpty_began && ! told )); then builtin printf '\e]133;D;%s\a' $code; fi
    # A full-screen program that was killed has left its screen, the mouse and a hidden cursor.
    if (( code )); then builtin printf '\e[?1000;1002;1003;1004;1005;1006;1015;1047l\e[?25h'; fi
    __agentpty_began=1
    __agentpty_restore_eol_mark
    __agentpty_tell_cwd
    return 0
  }

  # Before any hook zsh marks output that did not end its line, by default with an inverse %. For D to stand before that,
  # it is put into the mark itself while a command runs. An exported mark is left alone: other shells would print ours.
  __agentpty_set_eol_mark() {
    if [[ ${(t)PROMPT_EOL_MARK-} == *export* ]]; then return 0; fi
    __agentpty_users_eol_mark=(${PROMPT_EOL_MARK+"$PROMPT_EOL_MARK"})
    __agentpty_eol_mark=$'%{\e]133;D;%?\a%}'${PROMPT_EOL_MARK-%B%S%#%s%b}
    builtin typeset -g PROMPT_EOL_MARK=$__agentpty_eol_mark
  }

  __agentpty_restore_eol_mark() {
    if [[ -z $__agentpty_eol_mark || ${PROMPT_EOL_MARK-} != "$__agentpty_eol_mark" ]]; then return 0; fi
    if (( $#__agentpty_users_eol_mark )); then
      PROMPT_EOL_MARK=$__agentpty_users_eol_mark[1]
    else
      unset PROMPT_EOL_MARK
    fi
    __agentpty_eol_mark=
  }

  # Last of the hooks, because others build the prompt anew. A mark that is already there is taken out first: prompts are
  # built from older prompts, `PS1="(venv) $PS1"`.
  __agentpty_after() {
    local start=$'%{\e]133;A\a%}' end=$'%{\e]133;B\a%}'
    if [[ ! -o prompt_percent ]]; then start= end=; fi # %{ would be text on the screen
    builtin emulate -L zsh -o no_xtrace -o extended_glob -o no_err_exit -o no_err_return
    if [[ ${precmd_functions[-1]} != __agentpty_after ]]; then
      precmd_functions=(${precmd_functions:#__agentpty_after} __agentpty_after)
    fi
    local rest=${start:+$'%{\e]133;P;k=s\a%}'}
    if [[ -z $rest || $PS2 != "$__agentpty_ps2" ]]; then
      PS2=$rest${PS2//$'%{\e]133;P;k=s\a%}'/}
      __agentpty_ps2=${rest:+$PS2}
      builtin typeset -g +x PS2
    fi
    if [[ -n $__agentpty_ps1 && $PS1 == "$__agentpty_ps1" && -n $start ]]; then return 0; fi
    local text=${${PS1//$'%{\e]133;A\a%}'/}//$'%{\e]133;B\a%}'/}
    # A single % at the end prints nothing, but would take the % of the mark behind it.
    if [[ -n $end && $text == (|*[^%])(%%)#% ]]; then text=${text%\%}; fi
    PS1=$start$text$end
    __agentpty_ps1=${start:+$PS1}
    builtin typeset -g +x PS1 # an exported prompt would put our marks into shells that know nothing of them
    return 0
  }

  # $1 is the line as typed; without a history it is empty and $3 is what will run.
  __agentpty_preexec() {
    local sp=
    if [[ -o prompt_sp && -o prompt_cr && -o prompt_percent ]]; then sp=1; fi
    builtin emulate -L zsh -o no_xtrace -o no_err_exit -o no_err_return
    local REPLY
    __agentpty_escape "${1:-$3}"
    builtin printf '\e]633;E;%s%s\a\e]133;C\a' $REPLY ${__agentpty_nonce:+";$__agentpty_nonce"}
    if [[ -n $sp ]]; then __agentpty_set_eol_mark; fi
    return 0
  }

  # Into REPLY: as VS Code writes a line in a sequence.
  __agentpty_escape() {
    builtin emulate -L zsh -o no_xtrace -o extended_glob -o no_multibyte -o no_err_exit -o no_err_return
    local MATCH MBEGIN MEND
    REPLY=${1//\\/\\\\}
    REPLY=${REPLY//(#m)[[:cntrl:];]/\\x${(Ll:2::0:)$(( [##16] #MATCH ))}}
  }

  # The options that decide how zsh reads a text are the user's, so they stay as they are while it is parsed. The parser takes a # for a
  # comment, and the prompt does not unless interactive_comments is set.
  __agentpty_report_line() {
    local REPLY=$PREBUFFER$BUFFER
    if [[ ! -o interactive_comments && $REPLY == *'#'* ]]; then __agentpty_quote_comments; fi
    { functions[__agentpty_read]=$REPLY } 2>/dev/null
    __agentpty_print_report "$PREBUFFER$BUFFER" "${functions[__agentpty_read]-}"
    { builtin unfunction __agentpty_read } 2>/dev/null
    return 0
  }

  # In REPLY: a # that begins a word is quoted. Inside quotes this changes a text, and not where it ends.
  __agentpty_quote_comments() {
    builtin emulate -L zsh -o extended_glob -o no_xtrace -o no_err_exit -o no_err_return
    local MATCH MBEGIN MEND
    REPLY=${${REPLY//(#m)[[:space:]\;\&\|\(\)\<\>\`]\#/${MATCH[1]}\\#}/(#s)\#/\\#}
  }

  __agentpty_print_report() {
    builtin emulate -L zsh -o no_xtrace -o no_err_exit -o no_err_return
    local REPLY line
    __agentpty_escape "$1"
    line=$REPLY
    __agentpty_escape "$2"
    builtin printf '\e]633;L;%s;%s;%s;%s\a' $(( $#2 ? 0 : 2 )) "$line" "$__agentpty_nonce" "$REPLY"
  }

  __agentpty_insert_mode() {
    if [[ $KEYMAP == vicmd ]]; then builtin zle vi-insert; fi
  }

  # In each of the editing modes; `bindkey -v` and -e only choose one.
  __agentpty_bind_report() {
    builtin zle -N __agentpty_report_line
    builtin zle -N __agentpty_insert_mode
    local keymap
    for keymap in emacs viins vicmd isearch; do
      builtin bindkey -M $keymap '\e[5099~' __agentpty_report_line
      builtin bindkey -M $keymap '\e[5098~' expand-history
      builtin bindkey -M $keymap '\e[5097~' __agentpty_insert_mode
    done
  }

  __agentpty_tell_cwd() {
    if [[ $PWD == "$__agentpty_cwd" ]]; then return 0; fi
    __agentpty_cwd=$PWD
    builtin emulate -L zsh -o extended_glob -o no_multibyte
    local MATCH MBEGIN MEND
    builtin printf '\e]7;file://%s%s\a' "$HOST" ${PWD//(#m)[^A-Za-z0-9\/._~-]/%${(l:2::0:)$(( [##16] #MATCH ))}}
  }
fi
unset AGENTPTY_NONCE

if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
  source ${ZDOTDIR-$HOME}/.zshenv
fi
