# Term::ReadKey asked every 80 ms, without blocking; a star for each key
use strict; use warnings;
use Term::ReadKey;
use Time::HiRes qw(clock_gettime CLOCK_MONOTONIC);
$| = 1;
sub nap { select undef, undef, undef, shift }
sub truth {
    open my $log, '>>', $ENV{PHASE_LOG} // '/dev/null' or return;
    printf $log "%d %s\n", 1e9 * clock_gettime(CLOCK_MONOTONIC), shift;
}
sub secret {
    print shift;
    truth 'wait';
    while (1) {
        my $key = ReadKey -1;
        if (!defined $key) { nap 0.08; next }
        last if $key =~ /[\r\n]/;
        print '*';
        truth 'key';
    }
    print "\r\n";
}
ReadMode 4;
secret 'Passphrase of the archive: ';
nap 0.08 for 1 .. 40;
secret 'Repeat the passphrase: ';
nap 0.08 for 1 .. 700;
ReadMode 0;
