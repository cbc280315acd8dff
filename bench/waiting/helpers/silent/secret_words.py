# raw questions: secrets in several words, hidden or in stars, and text about secrets that is shown; a code is checked behind its stars
import os, sys, termios, time, tty

from truth import truth

old = termios.tcgetattr(0)

def ask(question, shown=""):
    sys.stdout.write(question)
    sys.stdout.flush()
    truth()
    while True:
        for key in os.read(0, 64).decode():
            if key in "\r\n":
                return
            sys.stdout.write(key if shown is None else shown)
        sys.stdout.flush()

try:
    tty.setraw(0)
    ask("Please enter user PIN: ")
    ask("\r\nLogin password for bob: ")
    ask("\r\nZip code: ", None)
    ask("\r\nPassword length [20]: ", None)
    ask("\r\nTwo-factor code: ", "*")
    time.sleep(1.6)
    ask("\r\n? Recovery key › ", "•")
    time.sleep(60)
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
