"""Sixteen threads that write and delete in the workspace and outside it at once; each deletes one guarded file."""

import os
import threading

THREADS, ROUNDS = 16, 40
home = os.environ['HOME']
refused = []


def write(path: str, text: str) -> None:
    with open(path, 'w') as file:
        file.write(text)


def work(number: int) -> None:
    for at in range(ROUNDS):
        write(f't{number}', f'{at}')
        os.rename(f't{number}', f'u{number}')
        os.unlink(f'u{number}')
        write(f'{home}/new{number}', f'{at}')
        os.unlink(f'{home}/new{number}')
        if at == ROUNDS // 2:
            try:
                os.unlink(f'{home}/keep/k{number}')
            except PermissionError:
                refused.append(number)
    write(f'end{number}', f'{number}')


threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print('refused', len(refused))
