# standard input is a pipe of records; the passphrase is asked on the terminal in between and once more at the end
import getpass, sys, time
from truth import truth

records = sys.stdin.read().splitlines()
time.sleep(0.8)
truth()
getpass.getpass(f"Passphrase for {len(records)} records: ")
print("sealing")
time.sleep(1.5)
truth("again")
getpass.getpass("Passphrase again: ")
time.sleep(60)
