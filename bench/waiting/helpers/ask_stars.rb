# highline: a password with its own asterisks, a menu that is answered by a number or a name, and work
require 'highline'

$stdout.sync = true
cli = HighLine.new
sleep 0.8
cli.ask('Keyring password: ') { |question| question.echo = '*' }
sleep 1.4
cli.choose do |menu|
  menu.prompt = 'Which ring? '
  menu.choices(:main, :spare) { sleep 1.2 }
end
cli.agree('Forget the password? ')
sleep 60
