# urwid: an edit line in a main loop; Enter makes the loop itself sleep
import time
import urwid
from truth import truth

edit = urwid.Edit("say: ")
def key(k):
    if k == "enter":
        time.sleep(1.5)
        edit.set_edit_text("")
        edit.set_caption("again: ")
loop = urwid.MainLoop(urwid.Filler(edit), unhandled_input=key)
loop.set_alarm_in(0, lambda *a: truth())
loop.run()
