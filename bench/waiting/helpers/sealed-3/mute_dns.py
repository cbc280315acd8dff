# nsupdate beside a name server that never answers
import socket, subprocess, sys

mute = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
mute.bind(("127.0.0.1", 0))
sys.exit(subprocess.call(["nsupdate", "-p", str(mute.getsockname()[1])]))
