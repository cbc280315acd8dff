/* an order in REXX: pull and charin, work between the questions, and the interactive trace */
say 'Name of the item?'
parse pull name
call charout , 'How many of' name'? '
parse pull count
call work 1.5
call charout , 'Gift wrap (y/n)? '
parse pull wrap
call charout , 'Reserving' count', please confirm: '
call work 2
parse pull sure
say 'The rest is traced.'
trace ?r
total = count * 3
total = total + 1
trace off
call charout , 'Sending' total', again? '
call work 60
exit
work:
  address system 'sleep' arg(1)
  return
