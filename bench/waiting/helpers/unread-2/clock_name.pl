# a prompt with the time in front, drawn anew twice a second by a select that times out; the same clock runs on over work
use strict; use POSIX qw(strftime); $| = 1;
system 'stty -icanon -echo'; END { system 'stty sane' }
my ($typed, $busy, $until) = ('', 1, time + 1);
sub draw { print "\r\e[K", strftime('%H:%M:%S ', localtime), $busy ? 'please hold the line ' : "extension> $typed" }
for (;;) {
  draw();
  if ($busy) {
    select undef, undef, undef, 0.5;
    next if time < $until;
    $busy = 0;
    if (my $file = $ENV{PHASE_LOG}) {
      require Time::HiRes;
      open my $log, '>>', $file; printf $log "%.0f wait\n", 1e9 * Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC());
    }
    next;
  }
  my $in = ''; vec($in, 0, 1) = 1;
  next unless select $in, undef, undef, 0.5;
  exit unless sysread STDIN, my $key, 1;
  if ($key =~ /[\r\n]/) { $until = time + ($typed eq 'hold' ? 60 : 2); ($typed, $busy) = ('', 1); print "\n" }
  else { $typed .= $key }
}
