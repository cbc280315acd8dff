"""Forbids itself to change files outside its workspace by Landlock, and deletes the files that it is given."""

import ctypes
import os
import struct
import sys

CREATE, ADD, RESTRICT = 444, 445, 446
WRITE_FILE, REMOVE_FILE, MAKE_REG = 1 << 1, 1 << 5, 1 << 8
BENEATH = 1
NO_NEW_PRIVS = 38

libc = ctypes.CDLL(None, use_errno=True)
handled = WRITE_FILE | REMOVE_FILE | MAKE_REG
rules = libc.syscall(CREATE, struct.pack('=Q', handled), 8, 0)
if rules < 0:
    raise OSError(ctypes.get_errno(), 'landlock_create_ruleset')
workspace = os.open('.', os.O_PATH | os.O_CLOEXEC)
if libc.syscall(ADD, rules, BENEATH, struct.pack('=Qi', handled, workspace), 0) != 0:
    raise OSError(ctypes.get_errno(), 'landlock_add_rule')
if libc.prctl(NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.syscall(RESTRICT, rules, 0) != 0:
    raise OSError(ctypes.get_errno(), 'landlock_restrict_self')

for path in sys.argv[1:]:
    try:
        open(os.path.dirname(path) + '/new', 'w').close()
        os.unlink(os.path.dirname(path) + '/new')
        print('made and deleted')
    except OSError as error:
        print('new', error.strerror)
    try:
        os.unlink(path)
        print('deleted')
    except OSError as error:
        print('delete', error.strerror)
