# Perl: the question ends in a newline; the answers come from a select loop over STDIN with a time limit
use strict;
use warnings;
use IO::Select;

$| = 1;
my $in = IO::Select->new(\*STDIN);
for my $what ('a city', 'a street', 'a number') {
    select(undef, undef, undef, 1.1);
    print "Please enter $what:\n";
    until ($in->can_read(30)) { print "(still there?)\n" }
    my $line = <STDIN>;
    last unless defined $line;
}
sleep 60;
