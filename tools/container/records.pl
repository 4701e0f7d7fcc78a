# SPDX-License-Identifier: MIT
# Reads a thousand records of a file here and there, and has the library write its counters.
use strict;
use warnings;

open my $file, '+>', "/tmp/records.$$" or die "/tmp/records.$$: $!\n";
syswrite $file, sprintf "%015d\n", $_ for 0 .. 999;
for my $round (1 .. 1000) {
	my $wanted = $round * 7 % 1000;
	sysseek $file, $wanted * 16, 0;
	sysread $file, my $record, 16;
	$record == $wanted or die "round $round: $record, not $wanted\n";
}
print STDOUT "1000 records as they should be\n";
unlink "/tmp/records.$$";
kill USR1 => $$ if $ENV{SEEKLESS};
