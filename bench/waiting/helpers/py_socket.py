# asks, sends the answer to a server that needs 1.5 s, asks again; blocked in recv meanwhile
import socket, threading, time
from truth import truth

s = socket.create_server(("127.0.0.1", 0))
def serve():
    c, _ = s.accept()
    while True:
        data = c.recv(100)
        time.sleep(1.5)
        c.sendall(data)
threading.Thread(target=serve, daemon=True).start()
c = socket.create_connection(s.getsockname())
while True:
    print("query> ", end="", flush=True)
    truth()
    c.sendall(input().encode() + b"\n")
    print("reply", c.recv(100).decode().strip())
