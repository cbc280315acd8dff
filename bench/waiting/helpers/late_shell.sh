#!/bin/sh
# the far end of a serial line: a shell that comes up after 1.5 s
sleep 1.5
PS1='in% ' exec dash -i
