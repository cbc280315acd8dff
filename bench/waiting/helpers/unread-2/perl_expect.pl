# answers what it knows of an installer by itself, hands the rest over to the person, and takes over again
use strict; use Expect;
$Expect::Log_Stdout = 1;
my $e = Expect->new;
$e->raw_pty(0);
my $asker = 'sleep 1; printf "Region: "; read a; sleep 1; printf "Operator: "; read b; '
  . 'sleep 1.3; printf "Serial: "; read c; sleep 1; printf "Language: "; read d; sleep 60';
$e->spawn('sh', '-c', $asker) or die;
$e->expect(9, 'Region: '); sleep 1; $e->send("north\n");
$e->expect(9, 'Operator: ');
hand_over();
$e->expect(9, 'Serial: '); sleep 1; $e->send("77\n");
$e->expect(9, 'Language: ');
hand_over();
sleep 60;

# the person types until Enter
sub hand_over { $e->interact(\*STDIN, "\r"); $e->send("\n") }
