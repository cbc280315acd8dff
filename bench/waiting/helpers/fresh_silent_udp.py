#!/usr/bin/python3
# runs a program with a UDP port in $SILENT_PORT that never gets an answer
import os, socket, sys

s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(("127.0.0.1", 0))
s.set_inheritable(True)
os.environ["SILENT_PORT"] = str(s.getsockname()[1])
os.execvp(sys.argv[1], sys.argv[1:])
