# the console of a network switch: two levels of a prompt, a password, a question with a default, and a key that confirms
use strict; use warnings;
$| = 1;
my $mode = '>';
print "\nPress RETURN to get started.\n";
readline STDIN // exit;
while (1) {
    print "sw1$mode ";
    my $line = readline STDIN // last;
    chomp $line;
    if ($line eq 'enable') {
        system 'stty -echo';
        print 'Password: ';
        readline STDIN;
        system 'stty echo';
        print "\n";
        $mode = '#';
    } elsif ($line eq 'copy run start') {
        print 'Destination filename [startup-config]? ';
        readline STDIN;
        print "Building configuration...\n";
        sleep 3;
        print "[OK]\n";
    } elsif ($line eq 'reload') {
        print 'Proceed with reload? [confirm]';
        system 'stty -icanon -echo';
        sysread STDIN, my $key, 1;
        system 'stty icanon echo';
        print "\n";
        sleep 60;
    } elsif ($line ne '') {
        print "Port    Name     Status\nGi0/1   uplink   connected\n";
    }
}
