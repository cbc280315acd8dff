# one poll over the terminal and over the pipe of a silent child
use strict; use warnings;
use IO::Poll qw(POLLIN);
$| = 1;
my $poll = IO::Poll->new;
$poll->mask(\*STDIN => POLLIN);
my @questions = ('Table to copy: ', 'Copy it to: ', 'Rows at a time: ');
my $child;
print shift @questions;
while (1) {
    $poll->poll;
    if ($poll->events(\*STDIN)) {
        sysread STDIN, my $line, 4096 or exit;
        next if $child;
        my $time = @questions ? 3.3 : 60;
        open $child, '-|', "sleep $time; echo copied" or die;
        $poll->mask($child => POLLIN);
    }
    if ($child && $poll->events($child)) {
        sysread $child, my $text, 4096;
        $poll->remove($child);
        close $child;
        $child = undef;
        print shift @questions;
    }
}
