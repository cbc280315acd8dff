# asks the kernel every 300 ms whether something was typed, and says nothing meanwhile; its work is made of short naps
$stdout.sync = true
def truth
  file = ENV['PHASE_LOG'] or return
  File.write(file, "#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)} wait\n", mode: 'a')
end
def work(naps) = naps.times { sleep 0.1 }

work 9
loop do
  print 'command: '
  truth
  next_line = nil
  until next_line
    ready, = IO.select([$stdin], nil, nil, 0.3)
    next_line = $stdin.gets || exit if ready
  end
  work(next_line.start_with?('scan') ? 600 : 13)
end
