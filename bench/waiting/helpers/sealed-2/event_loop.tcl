# the loop of Tcl listens to standard input all the time; answers start a timer, a child, and a timer again
fconfigure stdin -blocking 0 -buffering line
fconfigure stdout -buffering none
set questions {{Which printer? } {Copies: } {Paper tray: } {Cover page: }}

proc ask {} {
    global questions
    puts -nonewline [lindex $questions 0]
    set questions [lrange $questions 1 end]
}

proc finished {pipe} {
    if {[gets $pipe] < 0 && [eof $pipe]} {
        close $pipe
        ask
    }
}

proc answered {} {
    global questions
    if {[gets stdin line] < 0} {
        if {[eof stdin]} exit
        return
    }
    switch [llength $questions] {
        3 { after 3300 ask }
        2 {
            set pipe [open "|sleep 3.2"]
            fconfigure $pipe -blocking 0
            fileevent $pipe readable [list finished $pipe]
        }
        default { after 60000 ask }
    }
}

fileevent stdin readable answered
ask
vwait forever
