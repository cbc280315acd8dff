# progressbar2 with an adaptive time of arrival, a stall near the end, and a question on the next line
import time
import progressbar2 as progressbar
from truth import truth

while True:
    for i in progressbar.progressbar(range(25), redirect_stdout=False):
        time.sleep(1.1 if i == 23 else 0.04)
    print("Checked 25 files. Repair them? [y/n] ", end="", flush=True)
    truth()
    if input() == "n":
        time.sleep(60)
