# tqdm bars with a stall in the middle, then input()
import time
from tqdm import tqdm
from truth import truth

while True:
    for i in tqdm(range(30)):
        time.sleep(1.0 if i == 15 else 0.03)
    print("once more? ", end="", flush=True)
    truth()
    input()
