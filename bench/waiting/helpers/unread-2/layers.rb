# four bars, each on a line of its own, drawn anew from the first line down as a container's layers come in; then a question
$stdout.sync = true
def pull(steps)
  (1..steps).each do |i|
    print "\e[4A" if i > 1
    4.times do |n|
      share = [[i * (n + 2) / (steps * 2.0), 1].min, 0].max
      puts "\e[K#{n}f3a9c: #{share < 1 ? "Downloading [#{('=' * (share * 30)).ljust(30)}]" : 'Pull complete'}"
    end
    sleep 0.12
  end
  puts 'Digest: sha256:5d1c'
end
pull 13
loop do
  print 'Start it now? [y/N] '
  answer = $stdin.gets or exit
  sleep 0.4
  pull(answer.start_with?('y') ? 600 : 12)
end
