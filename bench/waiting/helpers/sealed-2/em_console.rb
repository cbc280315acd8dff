# a console in the loop of EventMachine: the keyboard stays open while a timer, a child and a thread do the work
require 'digest'
require 'eventmachine'
require_relative 'truth'

$stdout.sync = true
class Console < EM::Connection
  include EM::Protocols::LineText2

  def post_init
    @step = 0
    ask 'Host to drain: '
  end

  def ask(question)
    print question
    truth
  end

  def receive_line(_line)
    @step += 1
    case @step
    when 1 then EM.add_timer(3.2) { ask 'Reason: ' }
    when 2 then EM.system('sleep 3.3') { ask 'Hours of maintenance: ' }
    when 3
      work = lambda do
        deadline = Time.now + 60
        Digest::SHA256.digest('x' * 100_000) while Time.now < deadline
      end
      EM.defer(work, ->(_) { EM.stop })
    end
  end
end

EM.run { EM.open_keyboard(Console) }
