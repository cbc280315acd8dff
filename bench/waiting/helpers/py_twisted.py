# twisted: a line protocol on standard input beside a timer of the reactor; the answer comes from a thread of its pool
import time
from twisted.internet import reactor, stdio, task, threads
from twisted.protocols.basic import LineReceiver
from truth import truth

class Console(LineReceiver):
    delimiter = b"\n"

    def connectionMade(self):
        self.ask()

    def ask(self, _=None):
        self.transport.write(b"console> ")
        truth()

    def lineReceived(self, line):
        threads.deferToThread(time.sleep, 60 if line == b"long" else 1.4).addCallback(self.ask)

task.LoopingCall(lambda: None).start(0.25)
stdio.StandardIO(Console())
reactor.run()
