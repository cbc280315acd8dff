# questions of IO::Prompter: a line with a default, a whole number, a secret in stars, one key, a menu of letters
use strict; use warnings;
use IO::Prompter;
use Time::HiRes 'sleep';
$| = 1;
my $name = prompt 'Name of the host?', -def => 'web1';
my $count = prompt 'How many cores?', -integer;
print "allocating\n";
sleep 1.6;
my $secret = prompt 'Console secret:', -echo => '*';
my $yes = prompt 'Start it now?', -yn1;
print "starting\n";
my $until = time + 2;
my $x = 0;
$x++ while time < $until;
my $zone = prompt 'Which zone?', -menu => ['north', 'south', 'west'], '> ';
print "moving to $zone, more? ";
sleep 60;
