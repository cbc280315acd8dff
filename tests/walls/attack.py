"""The attacks of a hostile program inside a terminal. ATTACK contains the name and the arguments as JSON.

Prints "out: ..." when it got through, and "held: ..." with the reason when it did not.
"""
import ctypes, json, mmap, os, platform, shutil, signal, socket, struct, sys, time

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER, CLONE_NEWNS = 0x10000000, 0x00020000
NUMBERS = {
    'x86_64': {'clone': 56, 'unshare': 272, 'mount': 165, 'setns': 308, 'keyctl': 250},
    'aarch64': {'clone': 220, 'unshare': 97, 'mount': 40, 'setns': 268, 'keyctl': 219},
}[platform.machine()]
CLONE3 = 435


def check(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def syscall(number, *args):
    return check(libc.syscall(ctypes.c_long(number), *args))


def read(path):
    with open(path, 'rb') as file:
        content = file.read(200)
    if not content:
        raise OSError(0, 'it is empty')
    return content


def entries(path):
    found = os.listdir(path)
    if not found:
        raise OSError(0, 'it is empty')
    return found


def write(path):
    with open(path, 'a') as file:
        file.write('# from inside\n')
    return path


def make(path):
    os.makedirs(path)
    return path


def remove(path):
    os.unlink(path)
    return path


def chmod(path):
    os.chmod(path, 0o777)
    return path


def set_id(way, path, mode):
    """Creates a file whose mode has a set-ID bit: other users of the machine could run it as its owner."""
    os.path.exists(path) and os.unlink(path)
    if way == 'open':
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, mode))
    elif way == 'mknod':
        os.mknod(path, mode | 0o100000)
    elif way == 'openat2':
        how = (ctypes.c_uint64 * 3)(os.O_CREAT | os.O_WRONLY, mode, 0)
        syscall(437, -100, path.encode(), how, ctypes.c_size_t(24))
    else:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o700))
        if way == 'fchmod':
            os.chmod(os.open(path, os.O_RDONLY), mode)
        elif way == 'fchmodat2':
            syscall(452, -100, path.encode(), mode, 0)
        else:
            os.chmod(path, mode)
    if os.stat(path).st_mode & 0o6000 != mode & 0o6000:
        raise OSError(0, 'the bit is not set')
    return path


def link(source, at):
    os.link(source, at)
    return write(at)


def symlink(source, at):
    os.symlink(source, at)
    return write(at)


def read_by_symlink(source, at):
    os.symlink(source, at)
    return read(at)


def move_away(path, inside):
    """Renames a folder, copies it back, and writes where the original could not be written."""
    os.rename(path, path + '.moved')
    shutil.copytree(path + '.moved', path)
    return write(os.path.join(path, inside))


def connect(host, port):
    with socket.create_connection((host, port), 5) as connection:
        return connection.recv(100)


def unix(path):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        return path


def abstract(name):
    try:
        return unix('\0' + name)
    except ConnectionRefusedError:
        return unix(('\0' + name).ljust(108, '\0'))  # as Node names it


def kill(pid):
    os.kill(pid, 0)
    return pid


def ptrace(pid):
    PTRACE_SEIZE = 0x4206
    check(libc.ptrace(PTRACE_SEIZE, pid, None, None))
    return pid


def proc(pid, name):
    path = f'/proc/{pid}/{name}'
    if name == 'fd':
        return os.readlink(path + '/0')
    if name in ('root', 'cwd'):
        return entries(path + '/')
    with open(path, 'rb' if name != 'mem' else 'r+b', buffering=0) as file:
        return file.fileno()


def overwrite_program(pid):
    """Writes to the program of a process from outside: opened through /proc, it would be the file outside."""
    return os.open(f'/proc/{pid}/exe', os.O_WRONLY)


def type_into_terminal(request):
    check(libc.ioctl(0, ctypes.c_ulong(request), ctypes.c_char_p(b'x')))
    return hex(request)


def type_by_old_calls():
    """The same through the 32-bit entry of a 64-bit processor, which has other call numbers."""
    if platform.machine() != 'x86_64':
        raise OSError(0, 'this processor has no such entry')
    pid = os.fork()
    if pid == 0:
        memory = mmap.mmap(-1, 4096, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40, prot=7)
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        memory[2048:2049] = b'x'
        # push rbx; mov eax,54; xor ebx,ebx; mov ecx,TIOCSTI; mov edx,address; int 0x80; pop rbx; ret
        memory.seek(0)
        memory.write(b'\x53\xb8\x36\0\0\0\x31\xdb\xb9\x12\x54\0\0\xba' + struct.pack('<I', address + 2048) + b'\xcd\x80\x5b\xc3')
        result = ctypes.CFUNCTYPE(ctypes.c_int)(address)()
        os._exit(0 if result == 0 else 1)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        raise OSError(1, f'status {status}')
    return 'typed'


def unshare():
    return syscall(NUMBERS['unshare'], CLONE_NEWUSER | CLONE_NEWNS)


def in_child(call):
    pid = os.fork()
    if pid == 0:
        try:
            call()
            os._exit(0)
        except OSError as error:
            os._exit(error.errno)
    _, status = os.waitpid(pid, 0)
    if status != 0:
        raise OSError(status >> 8, os.strerror(status >> 8))
    return 'done'


def clone():
    def call():
        if syscall(NUMBERS['clone'], CLONE_NEWUSER | signal.SIGCHLD, 0, 0, 0, 0) == 0:
            os._exit(0)
        os.wait()
    return in_child(call)


def clone3():
    def call():
        arguments = (ctypes.c_uint64 * 8)(CLONE_NEWUSER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0)
        if syscall(CLONE3, arguments, ctypes.c_size_t(64)) == 0:
            os._exit(0)
        os.wait()
    return in_child(call)


def mount(path):
    return syscall(NUMBERS['mount'], b'tmpfs', path.encode(), b'tmpfs', 0, None)


def new_mount_calls():
    FSOPEN = 430
    return syscall(FSOPEN, b'tmpfs', 0)


def keys():
    GET_SESSION = 0
    return syscall(NUMBERS['keyctl'], GET_SESSION, -3, 1)


def sysctl(path):
    with open(path, 'r+') as file:
        value = file.read()
        file.seek(0)
        file.write(value)
    return path


def user_namespace_is(name):
    if os.readlink('/proc/self/ns/user') != name:
        raise OSError(0, 'another one')
    return name


def make_device(path):
    os.mknod(path, 0o600 | 0o060000, os.makedev(254, 0))
    return path


def fork_bomb(most):
    started = 0
    try:
        while started < most:
            if os.fork() == 0:
                signal.pause()
                os._exit(0)
            started += 1
    except OSError as error:
        raise OSError(error.errno, f'after {started}') from None
    return started


def hog(most):
    held = []
    while len(held) < most:
        held.append(bytearray(os.urandom(1 << 16)) * 16)
    return f'{len(held)} MiB'


def endless_file(path, most):
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with open(path, 'wb', buffering=0) as file:
        for _ in range(most):
            file.write(b'x' * (1 << 20))
    return path


def private_size(path, most):
    status = os.statvfs(path)
    size = status.f_blocks * status.f_frsize
    if size <= most:
        raise OSError(0, f'{size} bytes at most')
    return size


def spin():
    print('spinning', flush=True)
    while True:
        pass


def environment(*names):
    found = [name for name in names if name in os.environ]
    if not found:
        raise OSError(0, 'none of them')
    return found


def processes_of_others():
    """Lists the processes that are neither children nor ancestors of this one."""
    pids = [int(name) for name in os.listdir('/proc') if name.isdigit()]
    others = [pid for pid in pids if pid not in (1, os.getpid(), os.getppid())]
    if not others:
        raise OSError(0, 'none')
    return others


name, *arguments = json.loads(os.environ['ATTACK'])
try:
    print('out:', globals()[name](*arguments), flush=True)
except (OSError, shutil.Error) as error:
    print('held:', error, flush=True)
