# cmd2: a command that works in silence, one that lets choose from a numbered list, one that asks
import time
import cmd2

class Desk(cmd2.Cmd):
    prompt = "(desk) "

    def do_work(self, _):
        time.sleep(1.5)
        self.poutput("work is done")

    def do_pick(self, _):
        self.poutput(f"picked {self.select(['tea', 'coffee'], 'Which one? ')}")

    def do_wipe(self, _):
        if self.read_input("Wipe it all? ").startswith("y"):
            time.sleep(60)

Desk(allow_cli_args=False).cmdloop()
