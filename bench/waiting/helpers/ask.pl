# Perl: a question on a buffered handle, a busy loop, cbreak by stty and one key
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC sleep time);
$| = 1;
sub truth { open my $f, '>>', $ENV{PHASE_LOG} or return; printf $f "%d wait\n", clock_gettime(CLOCK_MONOTONIC) * 1e9; close $f }
sleep 0.8; print "first: "; truth(); <STDIN>;
my $end = time + 1.4; 1 while time < $end;
system "stty cbreak -echo"; print "any key "; truth(); getc STDIN; system "stty -cbreak echo";
sleep 1.2; print "\nlast: "; truth(); <STDIN>;
sleep 3;
