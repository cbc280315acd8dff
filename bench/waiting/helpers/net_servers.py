# the servers of services/net.sh: HTTP that trickles, a login dialogue with pauses (also over TLS), a small FTP server
import http.server, os, socket, socketserver, ssl, subprocess, threading, time

class Web(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/page":
            time.sleep(1.5)
            body = b"<html><title>Shop</title><body><h1>Slow shop</h1><form action='/done'>Name <input name=n> <input type=submit value=Send></form><p><a href='/done'>order</a></body></html>"
        elif self.path.startswith("/done"):
            time.sleep(1.5)
            body = b"<html><body>Thank you, all done</body></html>"
        else:
            body = None
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if body else "application/octet-stream")
        self.send_header("Content-Length", str(len(body) if body else 400000))
        self.end_headers()
        if body:
            self.wfile.write(body)
        else:
            for i in range(20):
                self.wfile.write(b"x" * 20000)
                time.sleep(0.15)
    def log_message(self, *a):
        pass

class Login(socketserver.StreamRequestHandler):
    def handle(self):
        say = lambda s: (self.wfile.write(s), self.wfile.flush())
        say(b"welcome\r\nlogin: ")
        name = self.rfile.readline()
        time.sleep(1.2)
        say(b"secret: ")
        self.rfile.readline()
        time.sleep(1.5)
        say(b"\r\nhello\r\nbox> ")
        for line in self.rfile:
            if line.strip() == b"quit":
                return
            time.sleep(1.3)
            say(b"did " + line.strip() + b"\r\nbox> ")

class Tls(Login):
    def setup(self):
        self.request = CONTEXT.wrap_socket(self.request, server_side=True)
        super().setup()

class Ftp(socketserver.StreamRequestHandler):
    def handle(self):
        say = lambda s: self.wfile.write(s.encode() + b"\r\n")
        say("220 small ftp"); data = None
        for line in self.rfile:
            word, _, rest = line.decode().strip().partition(" ")
            word = word.upper()
            if word == "USER": time.sleep(0.8); say("331 password please")
            elif word == "PASS": time.sleep(1.5); say("230 logged in" if rest == "hunter2" else "530 wrong")
            elif word == "SYST": say("215 UNIX Type: L8")
            elif word in ("TYPE", "OPTS", "CWD", "MODE", "STRU", "NOOP"): say("200 ok")
            elif word == "PWD": say('257 "/"')
            elif word == "SIZE": say("213 100000")
            elif word in ("EPSV", "PASV"):
                data = socket.create_server(("127.0.0.1", 0)); port = data.getsockname()[1]
                say(f"229 ok (|||{port}|)" if word == "EPSV" else f"227 ok (127,0,0,1,{port >> 8},{port & 255})")
            elif word in ("LIST", "RETR", "NLST", "MLSD") and data:
                say("150 coming"); c, _ = data.accept()
                for i in range(10):
                    c.sendall(b"-rw-r--r-- 1 u g 100000 Jan 01 00:00 file%d\r\n" % i if word != "RETR" else b"y" * 10000); time.sleep(0.15)
                c.close(); data.close(); data = None; say("226 done")
            elif word == "QUIT": say("221 bye"); return
            else: say("502 not here")

class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

d = os.environ["DIR"]
subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", d + "/key", "-out", d + "/cert", "-subj", "/CN=far", "-days", "30"], check=True, stderr=subprocess.DEVNULL)
CONTEXT = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
CONTEXT.load_cert_chain(d + "/cert", d + "/key")
for name, handler in (("HTTP_PORT", Web), ("LOGIN_PORT", Login), ("TLS_PORT", Tls), ("FTP_PORT", Ftp)):
    s = Server(("127.0.0.1", 0), handler)
    threading.Thread(target=s.serve_forever, daemon=True).start()
    print(f"set {name}={s.server_address[1]}", flush=True)
print("ready", flush=True)
threading.Event().wait()
