# a firmware that waits for Esc in rounds of half a second and redraws its countdown; then a menu, then the boot
import select, sys, termios, time, tty
from truth import truth

def key(seconds):
    return sys.stdin.buffer.raw.read(1) if select.select([0], [], [], seconds)[0] else b""

old = termios.tcgetattr(0)
tty.setraw(0)
try:
    sys.stdout.write("\x1b[2J\x1b[HMemory test")
    sys.stdout.flush()
    time.sleep(1.2)
    sys.stdout.write(" passed\r\n")
    truth()
    for half in range(18):
        sys.stdout.write(f"\r\x1b[KPress Esc to enter setup, booting in {9 - half // 2}")
        sys.stdout.flush()
        if key(0.5) == b"\x1b":
            break
    sys.stdout.write("\x1b[2J\x1b[H  Main   Boot   Exit\r\n\r\n  Boot order\r\n\r\n  F10 save and boot")
    sys.stdout.flush()
    truth("menu")
    key(None)
    sys.stdout.write("\x1b[2J\x1b[HBooting from disk 0\r\n")
    sys.stdout.flush()
    for left in range(60, 0, -1):
        sys.stdout.write(f"\rKernel starts in {left} ")
        sys.stdout.flush()
        time.sleep(1)
finally:
    termios.tcsetattr(0, termios.TCSADRAIN, old)
