# modal boxes of Curses::UI with buttons, and between them boxes that only tell what is done
use strict; use warnings;
use Curses::UI;

my $ui = Curses::UI->new(-color_support => 0, -clear_on_exit => 1);
$ui->dialog(-title => 'Branch', -message => 'Remove the branch feature/cart?', -buttons => ['yes', 'no']);
$ui->status('Removing the branch, please wait');
sleep 3;
$ui->nostatus;
$ui->dialog(-title => 'Branch', -message => 'Remove it on the server, too?', -buttons => ['ok', 'cancel']);
$ui->status('Removing the branch on the server');
sleep 60;
