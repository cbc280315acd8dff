# each question is printed before the work that precedes its gets
$stdout.sync = true
print 'Room: '
sleep 0.35
gets
print 'Guests: '
until_time = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 0.4
nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < until_time
gets
print 'Date: '
system 'sleep 0.25'
gets
print 'Booking: '
sleep 60
