# Shell integration for fish: read by `fish -C "source fish.fish"`, after the user's own configuration.
#
# It promises: the user's prompt functions, event handlers, $status, $pipestatus and environment work as without it, and
# no fork per prompt or command. Marks: OSC 133 A before the prompt, B at its end, C before a command's output, D;code
# after it (FinalTerm), P;k=s where Enter only begins another line of a command; OSC 633 E;line;nonce before C (VS Code);
# OSC 7 with the directory when it changed.
# A private key (CSI 5099 ~) makes it report the text of its line editor: OSC 633 L;state;line;nonce, where the state is that
# of `commandline --is-valid`: 0 for a complete command, 1 for one that fish refuses, 2 for one that is not finished.
# CSI 5097 ~ leaves the command mode of vi, so that text which follows is inserted.
# A fish that marks prompts by itself (4.0 and later, feature mark-prompt) is left to send A, C and D.

status is-interactive; or return

set -g __agentpty_nonce $AGENTPTY_NONCE
set -e AGENTPTY_NONCE
set -g __agentpty_cwd
set -g __agentpty_running 0
set -g __agentpty_marks_itself 0
status test-feature mark-prompt 2>/dev/null; and set -g __agentpty_marks_itself 1

# The prompt itself only adds B behind the user's: a command before it would change their $status and $pipestatus, which `set` does not.
# Each wrapper calls a prompt of its own number: a Python environment keeps a copy of the wrapper, shows it behind a word of its own, and
# puts it back. Only the outermost adds B. The event shows whether `fish_prompt` is still a wrapper, since a copy handles none; a pipe or a
# substitution would wake a thread at each prompt.
set -g __agentpty_prompts 0
function __agentpty_wrap_prompt
    functions -q fish_prompt; or return
    set -g __agentpty_number (functions fish_prompt | string replace -rf '^ *\$__agentpty_prompt_(\d+)$' '$1')
    if test -z "$__agentpty_number"
        set -g __agentpty_prompts (math $__agentpty_prompts + 1)
        set -g __agentpty_number $__agentpty_prompts
        set -g __agentpty_prompt_$__agentpty_number __agentpty_users_prompt_$__agentpty_number
        functions -c fish_prompt __agentpty_users_prompt_$__agentpty_number
    end
    eval "function fish_prompt --description 'The prompt, with the mark of its end' --on-event __agentpty_probe
        set -g __agentpty_depth \$__agentpty_depth 1
        \$__agentpty_prompt_$__agentpty_number
        set -e __agentpty_depth[-1]
        set -q __agentpty_depth[1]; or printf '\e]133;B\a'
    end"
end

function __agentpty_is_wrapped
    set -g __agentpty_depth probe
    set -g __agentpty_prompt_$__agentpty_number __agentpty_note_prompt
    set -g __agentpty_has_prompt 0
    emit __agentpty_probe
    set -g __agentpty_prompt_$__agentpty_number __agentpty_users_prompt_$__agentpty_number
    set -g __agentpty_depth
    test $__agentpty_has_prompt = 1
end

function __agentpty_note_prompt
    set -g __agentpty_has_prompt 1
end

# Sets the status to that of `commandline --is-valid`, and to 2 where a backslash makes Enter begin another line: before the cursor at the
# end or before a blank, or at the end of the text. A backslash at the end of a comment does not.
function __agentpty_check_line
    string match -qr '\\\\' -- (commandline -b); and __agentpty_ends_with_backslash; and return 2
    commandline --is-valid 2>/dev/null
end

# `commandline` adds a newline to the text.
function __agentpty_ends_with_backslash
    set -l odd '(^|[^\\\\])(\\\\\\\\)*\\\\\n\z'
    set -l whole (commandline -b | string collect -N)
    set -l before (commandline -cb | string collect -N)
    set -l length (math (string length -- $before) - 1)
    if test "$before" = "$whole"
        string match -qr '(^|[\s;&|()])#[^\n]*\n\z' -- $before; and return 1
        string match -qr $odd -- $before
        return
    end
    string match -qr "(?s)^.{$length}\\s" -- $whole; and string match -qr $odd -- $before; and return
    string match -qr $odd -- $whole
end

# fish goes on in the same prompt where a command is not finished. Only Enter itself can tell: it keeps what it does, and a
# binding of the user's goes before it.
function __agentpty_enter
    test $__agentpty_running = 0; and __agentpty_check_line
    test $status = 2; and printf '\e]133;P;k=s\a'
    commandline -f execute
end

# Once, and again after a set of bindings was chosen, be it the same: fish makes that one anew, without ours.
function __agentpty_bind_enter
    for mode in default insert visual replace replace_one
        for key in \r \n
            bind --preset -M $mode $key 2>/dev/null | string match -qr 'execute$'
            and bind --preset -M $mode $key __agentpty_enter
        end
        bind --preset -M $mode \e\[5099~ __agentpty_report_line
        bind --preset -M $mode \e\[5097~ __agentpty_insert_mode
    end
end

function __agentpty_on_prompt --on-event fish_prompt
    # A theme that was loaded since has replaced the function.
    __agentpty_is_wrapped; or __agentpty_wrap_prompt
    bind --preset \e\[5099~ >/dev/null 2>&1; or __agentpty_bind_enter
    if test "$PWD" != "$__agentpty_cwd"
        set -g __agentpty_cwd $PWD
        printf '\e]7;file://%s%s\a' $hostname (string escape --style=url -- $PWD)
    end
    test $__agentpty_marks_itself = 1; or printf '\e]133;A\a'
end

# As VS Code writes a line in a sequence. What must be written otherwise is rare, so callers search for it first.
function __agentpty_escape
    set -l line (string replace -a '\\' '\\\\' -- $argv[1] | string replace -a ';' '\\x3b' | string join '\\x0a')
    for hex in 0{1,2,3,4,5,6,7,8,9,a,b,c,d,e,f} 1{0,1,2,3,4,5,6,7,8,9,a,b,c,d,e,f} 7f
        set line (string replace -ar "\\x$hex" "\\\\x$hex" -- $line)
    end
    printf '%s\n' $line
end

function __agentpty_report_line
    __agentpty_check_line
    set -l state $status
    set -l line (commandline -b | string collect)
    string match -qr '[\x01-\x1f\x7f\\\\;]' -- $line; and set line (__agentpty_escape $line)
    printf '\e]633;L;%s;%s;%s\a' $state $line $__agentpty_nonce
end

function __agentpty_insert_mode
    contains -- "$fish_key_bindings" fish_vi_key_bindings fish_hybrid_key_bindings; or return
    test "$fish_bind_mode" = insert; and return
    set fish_bind_mode insert
    commandline -f repaint-mode
end

function __agentpty_on_preexec --on-event fish_preexec
    # A line of blanks and comments runs nothing, and $status stays that of the command before.
    string match -qr '(?m)^\s*[^#\s]' -- $argv[1]; or return
    set -g __agentpty_running 1
    set -l line $argv[1]
    string match -qr '[\x01-\x1f\x7f\\\\;]' -- $line; and set line (__agentpty_escape $line)
    set -l nonce
    test -n "$__agentpty_nonce"; and set nonce ";$__agentpty_nonce"
    # In one write, which wakes its readers once.
    set -l start
    test $__agentpty_marks_itself = 1; or set start '\e]133;C\a'
    printf "\e]633;E;%s%s\a$start" $line "$nonce"
end

function __agentpty_on_postexec --on-event fish_postexec
    set -l code $status
    test $__agentpty_running = 1; or return
    set -g __agentpty_running 0
    test $__agentpty_marks_itself = 1; or printf '\e]133;D;%s\a' $code
    # A full-screen program that was killed has left its screen, the mouse and a hidden cursor.
    test $code = 0; or printf '\e[?1000;1002;1003;1004;1005;1006;1015;1047l\e[?25h'
end

# A line that cannot be read runs nothing and leaves $status alone. The code is that of a command that cannot be found.
function __agentpty_on_posterror --on-event fish_posterror
    printf '\e]133;D;127\a'
end

__agentpty_wrap_prompt
