# an interactive zsh whose prompt comes at once and whose state of the repository follows from another process 400 ms later
autoload -Uz add-zsh-hook
setopt prompt_subst no_prompt_cr no_prompt_sp
PROMPT='async${STATE}%% '
arrived() {
  read -r STATE <&$1
  zle -F $1
  exec {1}<&-
  zle reset-prompt
}
ask_state() {
  STATE=
  local fd
  exec {fd}< <(sleep 0.4; echo '[main]')
  zle -F $fd arrived
}
add-zsh-hook precmd ask_state
