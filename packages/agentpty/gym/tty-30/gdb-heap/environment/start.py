"""Gives the records to `keeper` through a pipe, once, and attaches gdb to it. Then they are in its memory alone."""

import os

with open("records", "rb") as file:
    records = file.read()
os.unlink("records")
reading, writing = os.pipe()
ready, said = os.pipe()
keeper = os.fork()
if keeper == 0:
    os.close(writing)
    os.dup2(reading, 0)
    os.dup2(said, 1)
    os.execv("./keeper", ["keeper"])
os.close(reading)
os.close(said)
while records:
    records = records[os.write(writing, records) :]
os.close(writing)
os.read(ready, 1)
os.execvp("gdb", ["gdb", "-nx", "-q", "-iex", "set pagination off", "-p", str(keeper)])
