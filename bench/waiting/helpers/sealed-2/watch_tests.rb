# a test runner that stays and watches: a thread looks at the time of a file, the main thread waits for a key
require 'io/console'
require_relative 'truth'

$stdout.sync = true
Thread.new do
  loop do
    File.stat(__FILE__).mtime
    sleep 0.2
  end
end

def run(seconds)
  print "\e[2J\e[H RUNS  test/cart_test.rb\r\n"
  Process.wait spawn('sleep', seconds.to_s)
  print "\e[2J\e[H PASS  test/cart_test.rb\r\n\r\nTests: 14 passed\r\nTime:  #{seconds} s\r\n\r\n"
  print "Watch usage\r\n > Press a to run all tests.\r\n > Press f to run failed tests.\r\n > Press q to quit.\r\n"
  truth
end

$stdin.raw do |terminal|
  runs = 0
  run 3
  loop do
    case terminal.getc
    when 'a' then run((runs += 1) > 1 ? 60 : 3)
    when 'f'
      print "There are no failed tests.\r\n"
      truth
    when 'q', nil then break
    end
  end
end
