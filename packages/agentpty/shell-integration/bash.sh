# Shell integration for bash: started as `bash --rcfile bash.sh -i`, it reads what bash would have read and then marks
# prompts and commands, so that a reader of the output knows where each begins, ends, and how it ended.
#
# It promises: the user's prompt, PROMPT_COMMAND, PS0, traps, $?, PIPESTATUS and environment work as without it; no DEBUG
# trap; no fork, neither per prompt nor per command. The command line itself is not told: bash gives its history only by
# printing it, which takes two forks to catch, and the line stands in the output between the marks B and C anyway.
#
# A private key (CSI 5099 ~) makes it report the text of its line editor: OSC 633 L;state;line;nonce, where the state is
# empty because bash does not know whether a line is complete. CSI 5098 ~ expands the history references in that text.
# CSI 5097 ~ leaves the command mode of vi, so that text which follows is inserted.
#
# Marks: OSC 133 A before the prompt, B at its end, C before a command's output, D;code after it (FinalTerm),
# P;k=s before the prompt for the rest of a command; OSC 7 with the directory when it changed. Before bash 4.4, which has
# neither PS0 nor ${x@P}, there are A, B, P and OSC 7 only.

# Out of the environment before the first of the user's files runs: nothing started later shall see them.
__agentpty_rcfile=${AGENTPTY_RCFILE:-~/.bashrc}
__agentpty_login=${AGENTPTY_LOGIN:-}
__agentpty_nonce=${AGENTPTY_NONCE:-}
unset AGENTPTY_RCFILE AGENTPTY_LOGIN AGENTPTY_NONCE

__agentpty_cwd=         # as told last
__agentpty_began=       # there was a prompt before this one
__agentpty_told=        # the first half of this prompt's work is done
__agentpty_code=0       # of the command before this prompt
__agentpty_users_last=  # the last of the user's PROMPT_COMMANDs
__agentpty_tracing=     # x, v or both, while they are off because hooks run
__agentpty_first='{ __agentpty_before; __agentpty_stop_tracing; } 2>/dev/null'
__agentpty_hidden=       # the hooks have their hidden names
__agentpty_hidden_first=$'\e]5096\a'
__agentpty_hidden_last=$'\e]5095\a'
__agentpty_ps1=
__agentpty_ps2=
__agentpty_ps0=

# Functions are defined before the user's files are read: aliases made there cannot change them.

# Before everything of the user's, so that what their PROMPT_COMMAND prints is not a part of the command's output.
# `local -` gives the user's options back when the function returns.
__agentpty_before() {
  local code=${1-$?}
  { builtin local -; builtin set +xeu; } 2>/dev/null
  # Also after a line that ran nothing, which bash does not count: of one that it refused, this is all that is told.
  if [[ -n $__agentpty_began ]]; then builtin printf '\e]133;D;%s\a' "$code"; fi
  # A full-screen program that was killed has left its screen, the mouse and a hidden cursor.
  if [[ $code != 0 ]]; then builtin printf '\e[?1000;1002;1003;1004;1005;1006;1015;1047l\e[?25h'; fi
  __agentpty_began=1
  __agentpty_told=1
  __agentpty_tell_cwd
  return 0
}

# After everything of the user's, because it may have built PS1 anew.
__agentpty_after() {
  { builtin local -; builtin set +xeu; } 2>/dev/null
  if [[ -z $__agentpty_told ]]; then # our first half was thrown out of PROMPT_COMMAND
    __agentpty_before "$__agentpty_code"
  fi
  __agentpty_told=
  __agentpty_wrap_ps1
  __agentpty_wrap_ps2
  __agentpty_wrap_ps0
  return 0
}

# The user's last PROMPT_COMMAND and our end in one function: a DEBUG trap does not fire inside it, so the user's own
# last word is the last thing their trap sees before the prompt. No command may come before the eval, which needs $? and
# PIPESTATUS as they are; an arithmetic offset (of 0) is the one way to keep $? without running any.
__agentpty_last() {
  builtin eval "${__agentpty_users_last:(__agentpty_code = $?) * 0}"
  __agentpty_after
  if [[ -n $__agentpty_tracing || -n $__agentpty_hidden ]]; then __agentpty_trace_again; fi
}

# `set -x` and `set -v` would show these functions with every command. They are off until the prompt is drawn.
__agentpty_stop_tracing() {
  case $- in *x*) __agentpty_tracing+=x ;; esac
  case $- in *v*) __agentpty_tracing+=v ;; esac
  builtin set +xv
}

__agentpty_trace_again() {
  {
    case $__agentpty_tracing/$__agentpty_hidden in
      *v*/) __agentpty_hide_hooks ;;
      *v*/?*) ;;
      */?*) __agentpty_show_hooks ;;
    esac
    if [[ -n $__agentpty_tracing ]]; then builtin set "-$__agentpty_tracing"; fi
    __agentpty_tracing=
  } 2>/dev/null
}

# bash prints each PROMPT_COMMAND before it runs it while `set -v` is on, which nothing can stop. The names that ours have
# then are control strings: terminals do not show them. An alias keeps `set -x` from showing the call; the function is
# for a shell without aliases. The first time, at the end of `set -v` itself, bash prints the names that are shown here.
__agentpty_hide_hooks() {
  local at hook name
  for at in "${!PROMPT_COMMAND[@]}"; do
    hook=${PROMPT_COMMAND[at]}
    case $hook in
      "$__agentpty_first") name=$__agentpty_hidden_first ;;
      __agentpty_last) name=$__agentpty_hidden_last ;;
      *) continue ;;
    esac
    builtin eval "function $name { $hook; }"
    builtin alias "$name=$hook"
    PROMPT_COMMAND[at]=$name
  done
  __agentpty_hidden=1
}

__agentpty_show_hooks() {
  local at name
  for at in "${!PROMPT_COMMAND[@]}"; do
    case ${PROMPT_COMMAND[at]} in
      "$__agentpty_hidden_first") PROMPT_COMMAND[at]=$__agentpty_first ;;
      "$__agentpty_hidden_last") PROMPT_COMMAND[at]=__agentpty_last ;;
    esac
  done
  for name in "$__agentpty_hidden_first" "$__agentpty_hidden_last"; do
    builtin unalias "$name" || builtin : # under `set -e` the shell would end where the user has removed it
    builtin unset -f "$name"
  done
  __agentpty_hidden=
}

# All at once, for a bash that runs a single PROMPT_COMMAND. Under `set -e` a status that is not 0 would end the shell.
__agentpty_only() {
  __agentpty_code=$?
  __agentpty_before "$__agentpty_code"
  if [[ $- != *e* ]]; then __agentpty_return "$__agentpty_code"; fi
  builtin eval "$__agentpty_users_last"
  __agentpty_after
}

__agentpty_return() { return "$1"; }

# Before bash 4.4: no command marks. `$?` is kept for the user's part, which follows on the next line.
__agentpty_before_old() {
  local code=$?
  __agentpty_tell_cwd
  case $- in *e*) return 0 ;; esac
  return "$code"
}

# A mark that is already there is taken out first: prompts are built from older prompts, `PS1="(venv) $PS1"`.
__agentpty_wrap_ps1() {
  if [[ -n $__agentpty_ps1 && ${PS1-} == "$__agentpty_ps1" ]]; then return 0; fi
  local start='\[\e]133;A\a\]' end='\[\e]133;B\a\]' prompt=${PS1-}
  prompt=${prompt//"$start"/}
  prompt=${prompt//"$end"/}
  PS1=$start$prompt$end
  __agentpty_ps1=$PS1
  builtin export -n PS1 # an exported prompt would put our marks into shells that know nothing of them
}

__agentpty_wrap_ps2() {
  if [[ -n $__agentpty_ps2 && ${PS2-} == "$__agentpty_ps2" ]]; then return 0; fi
  local start='\[\e]133;P;k=s\a\]' prompt=${PS2-}
  prompt=${prompt//"$start"/}
  PS2=$start$prompt
  __agentpty_ps2=$PS2
  builtin export -n PS2
}

__agentpty_wrap_ps0() {
  if [[ -n $__agentpty_ps0 && ${PS0-} == "$__agentpty_ps0" ]]; then return 0; fi
  local start='\e]133;C\a' before=${PS0-}
  before=${before//"$start"/}
  PS0=$before$start
  __agentpty_ps0=$PS0
  builtin export -n PS0
}

__agentpty_tell_cwd() {
  if [[ $PWD == "$__agentpty_cwd" ]]; then return 0; fi
  __agentpty_cwd=$PWD
  # Byte by byte: a URL encodes bytes, not characters.
  local LC_ALL=C url= at character code
  for ((at = 0; at < ${#PWD}; at++)); do
    character=${PWD:at:1}
    case $character in
      [A-Za-z0-9/._~-]) url+=$character ;;
      *)
        builtin printf -v code %d "'$character"
        builtin printf -v character %%%02X $((code & 255))
        url+=$character
        ;;
    esac
  done
  builtin printf '\e]7;file://%s%s\a' "${HOSTNAME-}" "$url"
}

# The text of the line editor, in one sequence: control characters, `;` and the backslash are written as VS Code does.
__agentpty_report_line() {
  { builtin local -; builtin set +xeu; } 2>/dev/null
  local LC_ALL=C line=${READLINE_LINE-} at code character result=
  line=${line//\\/\\\\}
  line=${line//;/\\x3b}
  line=${line//$'\n'/\\x0a}
  if [[ $line == *[[:cntrl:]]* ]]; then
    for ((at = 0; at < ${#line}; at++)); do
      character=${line:at:1}
      if [[ $character == [[:cntrl:]] ]]; then
        builtin printf -v code %d "'$character"
        builtin printf -v character '\\x%02x' "$code"
      fi
      result+=$character
    done
    line=$result
  fi
  builtin printf '\e]633;L;;%s;%s\a' "$line" "$__agentpty_nonce"
}

# In each of the editing modes, so that `set -o vi` changes nothing.
__agentpty_bind_report() {
  local keymap
  for keymap in emacs vi-insert vi-command; do
    builtin bind -m "$keymap" -x '"\e[5099~": __agentpty_report_line' || return 0
    builtin bind -m "$keymap" '"\e[5098~": history-expand-line'
    builtin bind -m "$keymap" '"\e[5097~": ""'
  done 2>/dev/null
  builtin bind -m vi-command '"\e[5097~": vi-insertion-mode'
}

__agentpty_install() {
  # The first `bind` reads ~/.inputrc. Below `local -` the editing mode that it sets would be lost when the function returns.
  { builtin bind -v >/dev/null || builtin :; } 2>/dev/null
  { builtin local - && builtin set +xeu; } 2>/dev/null || builtin :
  unset -f __agentpty_install
  unset __agentpty_rcfile __agentpty_login
  __agentpty_bind_report
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
    __agentpty_install_old
    return 0
  fi
  # A locked PROMPT_COMMAND stays as it is: prompts and starts are marked; lines, ends and directories are not.
  if [[ ${PROMPT_COMMAND@a} == *r* ]]; then
    __agentpty_wrap_ps1
    __agentpty_wrap_ps2
    __agentpty_wrap_ps0
    return 0
  fi
  # bash-preexec moves PROMPT_COMMAND about at the first prompt, and takes what stands behind it for the user's command.
  if [[ -n ${bash_preexec_imported-}${__bp_imported-} ]]; then
    precmd_functions=(__agentpty_before ${precmd_functions[@]+"${precmd_functions[@]}"} __agentpty_after)
    return 0
  fi
  builtin export -n PROMPT_COMMAND # it names functions that another shell does not have
  if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)); then
    __agentpty_users_last=${PROMPT_COMMAND-}
    PROMPT_COMMAND=__agentpty_only
    return 0
  fi
  # Each element of the array is given $? and PIPESTATUS anew by bash.
  local users=(${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"})
  if ((${#users[@]} > 0)); then
    __agentpty_users_last=${users[${#users[@]} - 1]}
    unset "users[${#users[@]} - 1]"
  fi
  PROMPT_COMMAND=("$__agentpty_first" ${users[@]+"${users[@]}"} __agentpty_last)
}

# The prompt is wrapped once and again whenever the user's part has changed it.
__agentpty_install_old() {
  export -n PROMPT_COMMAND
  PROMPT_COMMAND="__agentpty_before_old
${PROMPT_COMMAND-}
__agentpty_wrap_ps1
__agentpty_wrap_ps2"
}

# A bash that was built to read a system-wide bashrc (Debian's: /etc/bash.bashrc) has done so before it came here.
# Sourcing after `||` keeps a `set -e` in there from ending the shell over the file's own last status.
if [[ $__agentpty_login != 1 ]]; then
  if [[ -r $__agentpty_rcfile ]]; then . "$__agentpty_rcfile" || builtin :; fi
else
  if [[ -r /etc/profile ]]; then . /etc/profile || builtin :; fi
  for __agentpty_rcfile in ~/.bash_profile ~/.bash_login ~/.profile; do
    if [[ -r $__agentpty_rcfile ]]; then
      . "$__agentpty_rcfile" || builtin :
      break
    fi
  done
fi
__agentpty_install # one command, because a DEBUG trap set in the files above sees it
