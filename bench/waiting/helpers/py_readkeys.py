# a yes/no by one key in cbreak mode that ignores other keys, after flushing what was typed ahead
import sys, termios, time, tty
from truth import truth

old = termios.tcgetattr(0)
try:
    for what in ("Delete", "Archive", "Send"):
        print(f"looking for files to {what.lower()}", flush=True)
        time.sleep(1.3)
        tty.setcbreak(0, termios.TCSAFLUSH)
        print(f"{what} 3 files? [y/n] ", end="", flush=True)
        truth()
        while sys.stdin.read(1) not in "yn":
            pass
        print()
        termios.tcsetattr(0, termios.TCSADRAIN, old)
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
