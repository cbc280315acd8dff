# Term::ReadKey asked every 80 ms, without blocking; a star for each key
use strict; use warnings;
use Term::ReadKey;
$| = 1;
sub nap { select undef, undef, undef, shift }
sub secret {
    print shift;
    while (1) {
        my $key = ReadKey -1;
        if (!defined $key) { nap 0.08; next }
        last if $key =~ /[\r\n]/;
        print '*';
    }
    print "\r\n";
}
ReadMode 4;
secret 'Passphrase of the archive: ';
nap 0.08 for 1 .. 40;
secret 'Repeat the passphrase: ';
nap 0.08 for 1 .. 700;
ReadMode 0;
