# a list that is painted every 100 ms with the same cells between selects of the terminal; c counts for three seconds
use strict; use warnings;
use Time::HiRes qw(time clock_gettime CLOCK_MONOTONIC);
$| = 1;
system 'stty raw -echo';
my ($at, $count, $until) = (0, 0, 0);
sub truth {
    open my $log, '>>', $ENV{PHASE_LOG} // '/dev/null' or return;
    printf $log "%d wait\n", 1e9 * clock_gettime CLOCK_MONOTONIC;
}
sub paint {
    my @rows = ('Mailboxes', '', map { ($at == $_ ? '> ' : '  ') . (qw(inbox sent drafts))[$_] } 0 .. 2);
    push @rows, '', $until ? "checking message $count" : 'n next   c check   q quit';
    print "\e[H", map { "$_\e[K\r\n" } @rows;
}
print "\e[?1049h\e[2J";
my ($checks, $is_idle) = (0, 0);
while (1) {
    if ($until && time >= $until) { $until = 0 }
    $count++ if $until;
    paint;
    truth if !$until && !$is_idle;
    $is_idle = !$until;
    my $set = '';
    vec($set, 0, 1) = 1;
    next unless select $set, undef, undef, 0.1;
    sysread STDIN, my $key, 1 or last;
    $is_idle = 0;
    last if $key eq 'q';
    $at = ($at + 1) % 3 if $key eq 'n' && !$until;
    $until = time + ($checks++ ? 60 : 3) if $key eq 'c' && !$until;
}
print "\e[?1049l";
system 'stty sane';
