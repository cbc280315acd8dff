# Term::ProgressBar with an estimate, a stall in the middle, and a question that is read with <STDIN>
use strict;
use warnings;
use Term::ProgressBar;
use Time::HiRes 'sleep';

$| = 1;
while (1) {
    my $bar = Term::ProgressBar->new({ name => 'Index', count => 30, ETA => 'linear' });
    for my $i (1 .. 30) {
        $bar->update($i);
        sleep($i == 16 ? 1 : 0.04);
    }
    print "\n30 shelves indexed. Merge? ";
    my $answer = <STDIN>;
    sleep 60 if defined $answer && $answer =~ /^y/;
}
