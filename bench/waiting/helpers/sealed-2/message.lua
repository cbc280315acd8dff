-- questions that may be skipped, each above the empty line that takes the answer
io.stdout:setvbuf 'no'

local function ask(question)
  print(question .. ' (press enter to skip)')
  return io.read() or os.exit()
end

ask 'Subject of the message'
os.execute 'sleep 3.2'
ask 'Signature'
local started = os.clock()
while os.clock() - started < 3.2 do end
ask 'Attachment'
os.execute 'sleep 60'
