# a cmd.Cmd interpreter: steps with output, a silent command, a question inside a command
import cmd, time

class Shell(cmd.Cmd):
    prompt = "(tool) "
    def do_build(self, arg):
        for i in range(5):
            print("step", i, flush=True)
            time.sleep(0.1)
        time.sleep(1.2)
        print("built")
    def do_quiet(self, arg):
        time.sleep(1.5)
    def do_erase(self, arg):
        if input("erase all? ") == "y":
            time.sleep(3)
Shell().cmdloop()
