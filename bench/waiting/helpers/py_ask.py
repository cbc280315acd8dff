# a plain Python dialogue: a pause, a question, a password, work
import getpass, time
from truth import truth

time.sleep(0.8)
print("city: ", end="", flush=True)
truth()
input()
time.sleep(1.2)
truth()
getpass.getpass("secret: ")
until = time.monotonic() + 2
while time.monotonic() < until:
    pass
