# Ruby: puts and gets, a question per line, with work that says it is at work and work that says nothing
$stdout.sync = true
puts 'How many copies?'
$stdin.gets
sleep 1.4
puts 'On which printer?'
$stdin.gets
puts 'Printing'
3.times do |page|
  sleep 0.4
  puts "page #{page + 1}"
end
puts 'Once more?'
$stdin.gets
sleep 60
