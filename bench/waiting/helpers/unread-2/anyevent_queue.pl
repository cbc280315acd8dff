# AnyEvent: a watcher of the terminal and timers in one loop; news of jobs come above the prompt while it waits
use strict; use AnyEvent; $| = 1;
sub truth {
  my $file = $ENV{PHASE_LOG} or return; require Time::HiRes;
  open my $log, '>>', $file; printf $log "%.0f %s\n", 1e9 * Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()), shift;
}
my ($asking, $job, $timer, $n) = (0, undef, undef, 0);
my $ask = sub { $asking = 1; print 'queue> '; truth('wait') };
my $news = AnyEvent->timer(after => 0.8, interval => 0.8, cb => sub {
  print "\r\e[K* job ", ++$n, " is done\nqueue> " if $asking;
});
my $input = AnyEvent->io(fh => \*STDIN, poll => 'r', cb => sub {
  exit unless defined(my $line = <STDIN>);
  $asking = 0;
  $job = AnyEvent->timer(after => $line =~ /^drain/ ? 60 : 1.4, cb => $ask);
});
print "connecting\n";
$job = AnyEvent->timer(after => 1.1, cb => $ask);
AnyEvent->condvar->recv;
