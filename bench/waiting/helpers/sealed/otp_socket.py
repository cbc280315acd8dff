# asks for a one-time code while a thread keeps a connection alive; the other end answers three seconds after a code
import os, socket, threading, time

def serve(peer):
    lock = threading.Lock()
    def answer(word):
        time.sleep({b"p": 0, b"l": 60}.get(word[:1], 3.2))
        with lock:
            peer.sendall(word[:1])
    while data := peer.recv(99):
        threading.Thread(target=answer, args=(data,), daemon=True).start()

listener = socket.create_server(("127.0.0.1", 0))
if os.fork() == 0:
    os.setsid()
    serve(listener.accept()[0])
    os._exit(0)
peer = socket.create_connection(listener.getsockname())
peer.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)

def keep_alive():
    while True:
        time.sleep(1)
        peer.sendall(b"p")

threading.Thread(target=keep_alive, daemon=True).start()
while True:
    code = input("Enter the 6-digit code from your app: ")
    peer.sendall(code.encode() or b"0")
    while peer.recv(1) == b"p":
        pass
    print("The code has expired.")
