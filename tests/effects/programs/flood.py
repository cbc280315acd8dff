"""Tries to remove many folders: first some, and after a line of input all the others."""

import os
import sys

warm, count = int(sys.argv[1]), int(sys.argv[2])
home = os.environ['HOME']
refused = 0
for number in range(count):
    if number == warm:
        print('warm', flush=True)
        sys.stdin.readline()
    try:
        os.rmdir(f'{home}/place{number}')
    except PermissionError:
        refused += 1
print('refused', refused, flush=True)
sys.stdin.readline()
