"""Two thousand short processes that each make and delete a file in the workspace. The one in the middle deletes a guarded file."""

import os

PROCESSES, AT_ONCE = 2000, 32


def work(number: int) -> int:
    name = f'f{number}'
    with open(name, 'w') as file:
        file.write(name)
    os.unlink(name)
    if number == PROCESSES // 2:
        os.unlink(os.environ['HOME'] + '/keep/a')
    return 0


running, ended = set(), 0
for number in range(PROCESSES):
    while len(running) > AT_ONCE:
        pid, status = os.wait()
        running.remove(pid)
        ended += status == 0
    pid = os.fork()
    if pid == 0:
        os._exit(work(number))
    running.add(pid)
while len(running) > 1:
    pid, status = os.wait()
    running.remove(pid)
    ended += status == 0
print('ended', ended, flush=True)
print('last', os.wait()[1])
