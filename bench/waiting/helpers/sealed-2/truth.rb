# for Ruby helpers: truth 'wait' writes that the wait begins now
def truth(label = 'wait')
  return unless ENV['PHASE_LOG']

  File.write(ENV['PHASE_LOG'], "#{Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond)} #{label}\n", mode: 'a')
end
