# halo: a spinner in a thread of its own, then input()
import time
from halo import Halo
from truth import truth

while True:
    with Halo(text="Fetching", spinner="dots") as spinner:
        time.sleep(1.7)
        spinner.succeed("Fetched")
    print("Which branch? ", end="", flush=True)
    truth()
    input()
