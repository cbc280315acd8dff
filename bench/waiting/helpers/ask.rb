# Ruby: gets, a thread that works, io/console getch and getpass
require "io/console"
def truth = File.write(ENV["PHASE_LOG"], "#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)} wait\n", mode: "a")
$stdout.sync = true
print "gem name: "; truth; gets
Thread.new { sleep 1.5 }.join
print "push? "; truth; $stdin.getch
t = Time.now + 1.2; nil while Time.now < t
print "\n"; truth; $stdin.getpass("key: ")
sleep 3
