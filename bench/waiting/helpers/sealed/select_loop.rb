# one select over the terminal and over a pipe; a thread works and writes into the pipe when it is done
$stdout.sync = true
done, finished = IO.pipe
questions = ['Report for which month? ', 'Send it to? ', 'Copy to? ']
is_busy = false
print questions.shift
loop do
  ready, = IO.select([$stdin, done])
  if ready.include?($stdin)
    exit if $stdin.readpartial(4096).empty?
    next if is_busy
    is_busy = true
    time = questions.empty? ? 60 : 3.2
    Thread.new { sleep time; finished.write('.') }
  end
  if ready.include?(done)
    done.readpartial(1)
    is_busy = false
    print questions.shift
  end
end
