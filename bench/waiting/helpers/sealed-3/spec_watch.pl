# a test runner that watches: one key runs all, a letter asks for a filter, and a run prints dots without reading keys
use strict; use warnings;
use POSIX;
$| = 1;
sub truth {
  open my $log, '>>', $ENV{PHASE_LOG} // '/dev/null' or return;
  my @t = (require Time::HiRes, Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()));
  printf $log "%.0f wait\n", $t[1] * 1e9;
}
sub run {
  my ($tests, $pause) = @_;
  print "\e[2J\e[Hrunning\n";
  for (1 .. $tests) { print '.'; select undef, undef, undef, $pause }
  print "\n\n$tests passed\n\n";
}
sub raw { system 'stty', '-icanon', '-echo' }
sub cooked { system 'stty', 'icanon', 'echo' }
$SIG{INT} = sub { cooked(); exit };
raw();
run(12, 0.12);
while (1) {
  print "Watch usage: a to run all, f to filter, s to run slow ones, w to write snapshots, q to quit\n";
  truth();
  my $key = '';
  while (!length $key) {
    vec(my $set = '', 0, 1) = 1;
    sysread STDIN, $key, 1 if select $set, undef, undef, 0.5;
  }
  last if $key eq 'q';
  run(24, 0.16) if $key eq 'a';
  run(200, 0.25) if $key eq 's';
  if ($key eq 'f') {
    cooked();
    print "pattern > ";
    truth();
    my $pattern = <STDIN>;
    raw();
    run(5, 0.3);
  }
  if ($key eq 'w') {
    print "2 snapshots differ. Write them (y/n)? ";
    truth();
    sysread STDIN, $key, 1;
    run(4, 0.4);
  }
}
cooked();
