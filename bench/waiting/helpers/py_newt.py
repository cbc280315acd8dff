# newt windows by snack: a choice, work behind a cleared screen, an entry
import time
from snack import EntryWindow, ListboxChoiceWindow, SnackScreen

time.sleep(0.8)
s = SnackScreen()
ListboxChoiceWindow(s, "Pick", "One of these", ["red", "green"])
s.finish()
time.sleep(1.4)
s = SnackScreen()
EntryWindow(s, "Ask", "Answer", ["Name"])
s.finish()
