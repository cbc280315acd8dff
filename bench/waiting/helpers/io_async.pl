# IO::Async: a stream on standard input and timers in one loop; a child process does the work
use strict;
use warnings;
use IO::Async::Loop;
use IO::Async::Stream;
use IO::Async::Timer::Periodic;

my $loop = IO::Async::Loop->new;
sub truth {
    open my $log, '>>', $ENV{PHASE_LOG} // '/dev/null' or return;
    require Time::HiRes;
    printf $log "%d wait\n", 1e9 * Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
}
my $stream;
sub ask { syswrite STDOUT, 'loop> '; truth() }
$stream = IO::Async::Stream->new(
    read_handle => \*STDIN,
    on_read     => sub {
        my (undef, $buffer) = @_;
        while ($$buffer =~ s/^(.*)\n//) {
            my $seconds = $1 eq 'long' ? 60 : 1.4;
            $loop->fork(code => sub { select undef, undef, undef, $seconds; 0 }, on_exit => \&ask);
        }
        return 0;
    },
);
$loop->add($stream);
my $tick = IO::Async::Timer::Periodic->new(interval => 0.2, on_tick => sub { });
$tick->start;
$loop->add($tick);
ask();
$loop->run;
