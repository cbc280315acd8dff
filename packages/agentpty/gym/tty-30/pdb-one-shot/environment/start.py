"""Hands the key to the program through a pipe, once, and starts it in the debugger. Then the key is nowhere else."""

import os

with open("key", "rb") as file:
    key = file.read()
os.unlink("key")
reading, writing = os.pipe()
os.write(writing, key)
os.close(writing)
os.dup2(reading, 9)
os.execv("/usr/bin/python3", ["python3", "-I", "-m", "pdb", "vault.py"])
