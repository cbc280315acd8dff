# questions of TTY::Prompt: text, a list, several of a list, a mask, yes or no, a key
require 'tty-prompt'
prompt = TTY::Prompt.new
name = prompt.ask('Name of the gem?', default: 'shelf')
kind = prompt.select('License?', %w[MIT BSD GPL])
sleep 1.5
prompt.multi_select('Parts?', %w[tests docs ci])
prompt.mask('Registry token?')
print 'Looking for the name in the registry... '
until_time = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 2
nil while Process.clock_gettime(Process::CLOCK_MONOTONIC) < until_time
puts 'free'
prompt.yes?("Create #{name} (#{kind})?")
prompt.keypress('Press any key to write the files')
40.times { |i| print "\r[#{'#' * i}#{' ' * (40 - i)}] writing"; $stdout.flush; sleep 0.2 }
