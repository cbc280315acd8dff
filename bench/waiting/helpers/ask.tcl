# Tcl: an event loop with a timer and the terminal as a channel; the truth comes from the helper `truth`
proc truth {} { exec [file join [file dirname [info script]] truth] wait }
proc answer {} { gets stdin line; after 1500 {puts -nonewline "width: "; flush stdout; truth} }
puts -nonewline "depth: "
flush stdout
truth
fileevent stdin readable answer
vwait forever
