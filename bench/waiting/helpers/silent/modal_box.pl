# modal boxes over a page: two with buttons, and between them one without
use strict; use warnings;
$| = 1;
system 'stty raw -echo';
sub box {
    my ($text, @buttons) = @_;
    print "\e[2J\e[H Accounts\r\n\r\n  alice\r\n  bob\r\n";
    my $row = 15;
    my $line = sub { printf "\e[%d;40H\e[7m|%-36s|\e[0m", $row++, shift };
    printf "\e[%d;40H\e[7m+%s+\e[0m", $row++, '-' x 36;
    $line->(''); $line->("  $text"); $line->('');
    $line->('      ' . join '     ', map { "< $_ >" } @buttons) if @buttons;
    printf "\e[%d;40H\e[7m+%s+\e[0m", $row, '-' x 36;
    print "\e[?25l";
}
box 'Remove the account bob?', 'OK', 'Cancel';
sysread STDIN, my $key, 8;
box 'Removing files of bob, please wait';
select undef, undef, undef, 3.1;
box '214 files are removed. Keep a log?', 'Yes', 'No';
sysread STDIN, $key, 8;
box 'Writing the log';
sleep 60;
