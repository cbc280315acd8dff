# writes slow.kdb, a file of passwords whose key takes 200 million rounds to derive
use strict; use warnings;
use File::KeePass;

my $file = 'slow.kdb';
my $keys = File::KeePass->new;
$keys->add_group({title => 'shop'});
$keys->save_db($file, 'hunter2');
open my $out, '+<:raw', $file or die;
seek $out, 120, 0;
print $out pack 'V', 200_000_000;
close $out or die;
