# keeps the last row for a bar while lines scroll above it, as apt does; then gives the row back and asks
use strict; $| = 1;
sub rows { my ($rows) = `stty size` =~ /^(\d+)/; $rows || 24 }
sub unpack_all {
  my ($steps) = @_; my $rows = rows();
  print "\n\e7\e[1;", $rows - 1, "r\e8\e[1A";
  for my $i (1 .. $steps) {
    my $done = int 40 * $i / $steps;
    print "Unpacking part-$i ...\n" if $i % 3 == 0;
    print "\e7\e[$rows;1H\e[42;30mProgress: [", sprintf('%3d', 100 * $i / $steps), '%]', "\e[0m [", '#' x $done, '.' x (40 - $done), "]\e8";
    select undef, undef, undef, 0.15;
  }
  print "\e7\e[1;${rows}r\e[$rows;1H\e[K\e8";
}
unpack_all(12);
for (;;) {
  print 'Restart the services now? [Y/n] ';
  exit unless defined(my $line = <STDIN>);
  unpack_all($line =~ /^y/ ? 400 : 14);
}
