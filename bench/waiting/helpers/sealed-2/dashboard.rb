# a dashboard that paints all of its rows every 150 ms, changed or not; reading the log changes its count
require 'io/console'
require 'io/wait'
require_relative 'truth'

HELP = 'n next   r read the log   a archive   q quit'.freeze
$stdout.sync = true

def paint(row, note)
  frame = +"\e[H"
  frame << "Services\e[K\r\n\e[K\r\n"
  %w[web queue mail].each_with_index { |name, index| frame << "#{index == row ? '>' : ' '} #{name.ljust(8)} running\e[K\r\n" }
  frame << "\e[K\r\n#{note}\e[K\e[J"
  print frame
end

def work(row, seconds)
  deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + seconds
  lines = 0
  while Process.clock_gettime(Process::CLOCK_MONOTONIC) < deadline
    lines += 173
    paint row, "#{lines} lines"
    sleep 0.15
  end
end

print "\e[?1049h\e[?25l\e[2J"
row = 0
$stdin.raw do |terminal|
  is_said = false
  loop do
    paint row, HELP
    truth unless is_said
    is_said = true
    next unless terminal.wait_readable(0.15)

    is_said = false
    case terminal.getc
    when 'n' then row = (row + 1) % 3
    when 'r' then work row, 3.2
    when 'a' then work row, 60
    when 'q' then break
    end
  end
end
print "\e[?25h\e[?1049l"
