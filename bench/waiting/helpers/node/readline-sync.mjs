// readline-sync: blocking questions in Node (it reads /dev/tty in a helper process or by a blocking read)
import ask from 'readline-sync'
import { burn, truth } from './truth.mjs'

burn(800)
truth()
ask.question('Where from? ')
burn(1200)
truth()
ask.keyInYN('Come back?')
burn(1500)
truth()
ask.question('Password: ', { hideEchoBack: true })
burn(3000)
