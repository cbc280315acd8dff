"""The connection, against a fake daemon; and the path of the real one."""

from __future__ import annotations

import json
import os
import pickle
import socket
import tempfile
import threading
import unittest

from support import Instance

from agentpty_gym.daemon import connect
from agentpty_gym.errors import AgentptyError, InfraError
from agentpty_gym.paths import daemon_socket
from agentpty_gym.results import info_of
from agentpty_gym.spec import spec_input

HELLO = b'{"agentpty":1,"version":"1","build":"1","pid":1}\n'


class FakeDaemon:
    """Accepts one connection, and handles it as a test says."""

    def __init__(self, test: unittest.TestCase) -> None:
        folder = tempfile.TemporaryDirectory()
        test.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "s")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen()
        test.addCleanup(self.listener.close)

    def connect(self, test: unittest.TestCase, hello: bytes = HELLO):
        accepted = []

        def accept() -> None:
            stream, _ = self.listener.accept()
            reader = stream.makefile("rb")
            accepted.extend([stream, reader, json.loads(reader.readline())])
            stream.sendall(hello)

        thread = threading.Thread(target=accept)
        thread.start()
        try:
            connection = connect(self.path, {"face": "rpc"})
        finally:
            thread.join()
            for one in accepted[:2]:
                test.addCleanup(one.close)
        test.addCleanup(connection.close)
        return connection, accepted[0], accepted[1]


class Wire(unittest.TestCase):
    def setUp(self) -> None:
        self.daemon = FakeDaemon(self)

    def test_answers_find_their_calls_in_any_order_and_in_any_pieces(self) -> None:
        connection, stream, reader = self.daemon.connect(self)
        first, second = connection.start("a", {}), connection.start("b", {"x": "ä"})
        sent = [json.loads(reader.readline()) for _ in range(2)]
        self.assertEqual([one["method"] for one in sent], ["a", "b"])
        self.assertEqual(sent[1]["params"], {"x": "ä"})
        said = b'{"progress":1,"waitedMs":1,"totalMs":2}\n'
        said += b"".join(b'{"id":%d,"result":{"of":"%s"}}\n' % (one["id"], one["method"].encode()) for one in sent[::-1])
        for at in range(0, len(said), 3):
            stream.sendall(said[at : at + 3])
        self.assertEqual(first.result(5), {"of": "a"})
        self.assertEqual(second.result(5), {"of": "b"})

    def test_an_error_has_its_code_and_its_hint(self) -> None:
        connection, stream, _ = self.daemon.connect(self)
        call = connection.start("a", {})
        stream.sendall(b'{"id":1,"error":{"code":"denied","message":"No.","hint":"Ask."}}\n')
        with self.assertRaises(AgentptyError) as caught:
            call.result(5)
        self.assertEqual((caught.exception.code, str(caught.exception)), ("denied", "denied: No. Ask."))

    def test_open_calls_fail_when_the_daemon_ends(self) -> None:
        connection, stream, reader = self.daemon.connect(self)
        call = connection.start("a", {})
        reader.close()
        stream.close()
        with self.assertRaises(AgentptyError) as caught:
            call.result(5)
        self.assertEqual(caught.exception.code, "daemon_gone")
        with self.assertRaises(AgentptyError):
            connection.start("b", {}).result(5)
        self.assertTrue(connection.is_closed)

    def test_closing_fails_open_calls_and_ends_the_thread(self) -> None:
        connection, _, _ = self.daemon.connect(self)
        call = connection.start("a", {})
        connection.close()
        with self.assertRaises(AgentptyError):
            call.result(5)

    def test_a_call_that_takes_too_long_is_cancelled(self) -> None:
        connection, _, reader = self.daemon.connect(self)
        call = connection.start("a", {})
        with self.assertRaises(AgentptyError) as caught:
            call.result(0.01)
        self.assertEqual(caught.exception.code, "cancelled")
        reader.readline()
        self.assertEqual(json.loads(reader.readline()), {"cancel": 1})

    def test_an_invalid_answer_ends_the_connection(self) -> None:
        connection, stream, _ = self.daemon.connect(self)
        call = connection.start("a", {})
        stream.sendall(b"nonsense\n")
        with self.assertRaises(AgentptyError):
            call.result(5)

    def test_many_threads_may_call(self) -> None:
        connection, stream, reader = self.daemon.connect(self)

        def answer() -> None:
            for _ in range(400):
                message = json.loads(reader.readline())
                stream.sendall(json.dumps({"id": message["id"], "result": message["params"]}).encode() + b"\n")

        wrong = []

        def ask(name: int) -> None:
            for turn in range(50):
                said = connection.start("echo", {"name": name, "turn": turn}).result(10)
                if said != {"name": name, "turn": turn}:
                    wrong.append(said)

        threads = [threading.Thread(target=answer), *(threading.Thread(target=ask, args=(n,)) for n in range(8))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_a_full_daemon_reports_it(self) -> None:
        with self.assertRaises(AgentptyError) as caught:
            self.daemon.connect(self, b'{"error":{"code":"limit_reached","message":"Full.","hint":""}}\n')
        self.assertEqual(caught.exception.code, "limit_reached")

    def test_a_forked_process_does_not_share_the_connection(self) -> None:
        connection, stream, reader = self.daemon.connect(self)
        child = os.fork()
        if child == 0:
            code = 1
            try:
                connection.start("never sent", {}).result(1)
            except AgentptyError:
                code = 0
            os._exit(code)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)
        call = connection.start("a", {})
        self.assertEqual(json.loads(reader.readline())["method"], "a")
        stream.sendall(b'{"id":1,"result":{}}\n')
        self.assertEqual(call.result(5), {})


class Plain(unittest.TestCase):
    def test_errors_survive_pickling(self) -> None:
        error = pickle.loads(pickle.dumps(InfraError("host_gone", "Gone.", "Again.")))
        self.assertEqual((type(error), error.code, error.hint), (InfraError, "host_gone", "Again."))

    def test_durations_and_rewards_are_floats_whatever_json_writes(self) -> None:
        info = info_of({"exitCode": 0, "timing": {"stepMs": 6}, "rewards": {"myReward": 1}})
        self.assertEqual(info, {"exit_code": 0, "timing": {"step_ms": 6.0}, "rewards": {"myReward": 1.0}})
        self.assertEqual((type(info["timing"]["step_ms"]), type(info["rewards"]["myReward"])), (float, float))

    def test_a_spec_is_converted_to_the_daemons_spelling(self) -> None:
        spec = {"reset_by": "copy", "step_timeout_ms": 5, "files": "/x/../y", "success": "won", "rows": None}
        self.assertEqual(
            spec_input(spec), {"resetBy": "copy", "stepTimeoutMs": 5, "files": "/y", "success": {"text": "won"}}
        )

    def test_the_socket_follows_from_the_state_folder_alone(self) -> None:
        for env, want in [
            ({"AGENTPTY_HOME": "/h"}, "/h/run/daemon.sock"),
            ({"XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/u"}, "/u/.local/state/agentpty/run/daemon.sock"),
            ({"XDG_STATE_HOME": "/s", "HOME": "/u"}, "/s/agentpty/run/daemon.sock"),
            ({"HOME": "/u"}, "/u/.local/state/agentpty/run/daemon.sock"),
        ]:
            self.assertEqual(daemon_socket(env, 7), want)


class Socket(unittest.TestCase):
    def test_a_lock_of_this_start_of_the_machine_names_the_socket(self) -> None:
        with open("/proc/sys/kernel/random/boot_id", encoding="utf-8") as file:
            boot = file.read().strip()
        with tempfile.TemporaryDirectory() as home:
            elsewhere = os.path.join(home, "elsewhere.sock")
            with open(elsewhere, "w", encoding="utf-8"):
                pass
            for lock, want in [
                ({"boot": boot, "socket": elsewhere}, elsewhere),
                ({"boot": boot, "socket": "/in/a/container.sock"}, f"{home}/run/daemon.sock"),
                ({"boot": "another", "socket": elsewhere}, f"{home}/run/daemon.sock"),
                ({"boot": boot}, f"{home}/run/daemon.sock"),
                ([], f"{home}/run/daemon.sock"),
            ]:
                with open(os.path.join(home, "daemon.lock"), "w", encoding="utf-8") as file:
                    json.dump(lock, file)
                self.assertEqual(daemon_socket({"AGENTPTY_HOME": home}, 7), want)

    def test_a_deep_home_has_the_socket_where_the_daemon_has_put_it(self) -> None:
        instance = Instance()
        self.addCleanup(instance.stop)
        instance.env["AGENTPTY_HOME"] = os.path.join(instance.home, "deep" * 20)
        said = json.loads(instance.cli("status", "--start", "--json").stdout)
        self.addCleanup(instance.cli, "stop", "--all")
        self.assertEqual(daemon_socket(instance.env, os.getuid()), said["socket"])


if __name__ == "__main__":
    unittest.main()
