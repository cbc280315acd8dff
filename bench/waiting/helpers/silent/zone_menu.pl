# a menu of numbers behind `> `, and work behind another list of numbers
use strict; use warnings;
$| = 1;
sub truth { my $p = $ENV{PHASE_LOG} or return; open my $f, '>>', $p or return; require Time::HiRes; printf $f "%d wait\n", Time::HiRes::clock_gettime(1) * 1e9 }
print "Which zone?\n\n  1. north\n  2. south\n  3. west\n\n> ";
truth();
my $zone = <STDIN>;
print "Hosts to move:\n  1. web1\n  2. web2\n";
select undef, undef, undef, 1.8;
print "Pick one:\n  [a] all\n  [b] none\n> ";
truth();
my $one = <STDIN>;
print "Moved:\n  1. web1\n  2. web2\n";
sleep 60;
