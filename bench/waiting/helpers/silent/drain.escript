#!/usr/bin/env escript
%% asks and works in silence; the virtual machine keeps the terminal open all the time
main(_) ->
    io:get_line("Node to drain: "),
    timer:sleep(3300),
    io:get_line("Node that takes over: "),
    timer:sleep(3200),
    io:get_line("Reason: "),
    timer:sleep(60000).
