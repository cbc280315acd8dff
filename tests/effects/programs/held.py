"""Many threads that are each held at another folder. After a line of input the first thread works in its workspace."""

import os
import sys
import threading

threads_max = int(sys.argv[1])
home = os.environ['HOME']
refused = []


def delete(number: int) -> None:
    try:
        os.rmdir(f'{home}/place{number}')
    except PermissionError:
        refused.append(number)


threading.stack_size(64 << 10)
threads = [threading.Thread(target=delete, args=(number,)) for number in range(threads_max)]
for thread in threads:
    thread.start()
sys.stdin.readline()
for at in range(200):
    with open(f'w{at}', 'w') as file:
        file.write('x')
    os.unlink(f'w{at}')
print('worked', flush=True)
for thread in threads:
    thread.join()
print('refused', len(refused))
