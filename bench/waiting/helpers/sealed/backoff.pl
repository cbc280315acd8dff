# a countdown between attempts that no key ends; the question comes after the last attempt
use strict; use warnings;
use Time::HiRes qw(sleep);
$| = 1;
while (1) {
    for my $attempt (1 .. 2) {
        for my $left (reverse 1 .. 5) {
            printf "\rAttempt %d failed, next one in %ds ", $attempt, $left;
            sleep 0.5;
        }
    }
    print "\nHost is down. Wait for it, or choose another (w/c)? ";
    my $line = <STDIN>;
}
