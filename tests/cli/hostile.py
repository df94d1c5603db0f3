"""hostile.py - files that others made: nothing hangs, nothing runs unasked, nothing is shown that is
not the model's, and nothing steers the terminal."""

import os
import pty
import resource
import signal
import subprocess
import time

import program
from program import Case, call, strict

WAIT = 0.3
BALL = "trammel: 1\nbodies: {b: {mass: 1, inertia: [1, 1, 1]}}\nsimulate: {end: 1}\n"
SECRETS = "root:x:0:0:hidden:/root:/bin/sh\nhidden:x:1:1:hidden:/hidden:/bin/hidden\n"


class Hostile(Case):
    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def refused(self, sentence, *words, code=2):
        run = call(*words, cwd=self.folder)
        self.assertEqual((run.returncode, run.stdout), (code, ""), run.stderr)
        self.assertIn(sentence, run.stderr)
        return run.stderr

    def test_what_is_not_a_plain_file(self):
        os.mkfifo(self.path("pipe"))
        for name in ("pipe", "/dev/zero", "/dev/null"):
            self.refused("it is not a plain file", "run", name, code=4)
            for keys in (f"include: {name}", f"tables: {{a: {{file: {name}, x: 1, y: 2}}}}",
                         f"bodies: {{c: {{density: 1, shape: {{mesh: {{file: {name}}}}}}}}}",
                         "bodies: {c: {mass: 1, inertia: [1, 1, 1]}}\n"
                         f"forces: {{f: {{type: plugin, body: c, library: {name}, function: f}}}}"):
                self.write("m.yaml", f"trammel: 1\n{keys}\nsimulate: {{end: 1}}\n")
                self.refused("it is not a plain file", "run", "m.yaml", "--plugins")
        self.refused("Is a directory", "run", ".", code=4)
        self.refused("is not a run file", "plot", "pipe", code=4)

    def test_other_files_are_not_shown(self):
        self.write("secrets", SECRETS)
        self.write("secrets.yaml", "- &hidden hidden\n- !hidden\n")
        self.write("keys.yaml", "hidden: {hidden: 1, hidden: 2}\n")
        self.write("table.csv", "hidden words; more hidden\nhidden; hidden\n")
        for keys, sentence in (
                ("include: secrets", "'secrets' cannot be included: it has none of the keys"),
                ("include: secrets.yaml", "'secrets.yaml' cannot be included"),
                ("include: keys.yaml", "'keys.yaml' cannot be included"),
                ("tables: {a: {file: secrets, x: 1, y: 1}}", "a number is expected here"),
                ("tables: {a: {file: secrets, x: q, y: 1}}", "'secrets' has no column 'q'"),
                ("tables: {a: {file: table.csv, x: q, y: 2}}", "'table.csv' has no column 'q'"),
                ("bodies: {c: {density: 1, shape: {mesh: {file: secrets}}}}",
                 "the mesh 'secrets'")):
            self.write("m.yaml", f"trammel: 1\n{keys}\nsimulate: {{end: 1}}\n")
            self.assertNotIn("hidden", self.refused(sentence, "run", "m.yaml"))
        # what a table may well have is shown
        self.write("t.csv", "time, way [m]\n0, 1\n1, 2x\n")
        self.write("m.yaml", BALL + "tables: {a: {file: t.csv, x: tine, y: 2}}\n")
        self.refused("'t.csv' has no column 'tine'; its columns are time, way [m]", "run", "m.yaml")
        self.refused("'2x' is not a number", "run", "m.yaml", "--set", "tables.a.x=1")

    def test_plugins_load_only_when_allowed(self):
        folder = os.path.join(os.path.dirname(program.PROGRAM), "plugins")
        mark = self.path("mark")
        own = {**os.environ, "TRM_TEST_MARK": mark}
        path = self.write("m.yaml", BALL + "forces: {f: {type: plugin, body: b, library: "
                          f"{folder}/marking_plugin.so, function: none}}}}\n")
        for words in (("run", path), ("static", path), ("modes", path), ("bench", path)):
            run = call(*words, env=own)
            self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
            self.assertRegex(run.stderr, r"\Atrammel: \S*m\.yaml:4:\d+: force 'f' needs the plug-in "
                                         r"'\S+', whose code would run here: .*--plugins")
        run = call("check", path, env=own)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertRegex(run.stdout, r"warning +force 'f' needs the plug-in '\S+marking_plugin.so', "
                                     r"function 'none': it was not loaded")
        facts = strict(call("check", path, "--json").stdout)
        self.assertIn("it was not loaded", facts["warnings"][-1])
        self.assertFalse(os.path.exists(mark))
        run = call("run", path, "--plugins", env=own)
        self.assertTrue(os.path.exists(mark))
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        run = call("check", path, "--plugins", env=own)
        self.assertNotIn("plug-in", run.stdout)
        # a run file does not bring trust with it
        out = self.path("run.h5")
        call("run", path, "--plugins", "--out", out, "--step", "0.1", "--checkpoint-steps", "1",
             env=own)
        os.remove(mark)
        run = call("run", "--restart", out, "--end", "2", env=own)
        self.assertEqual(run.returncode, 2, run.stderr)
        self.assertIn("needs the plug-in", run.stderr)
        self.assertFalse(os.path.exists(mark))
        self.assertEqual(call("run", "--restart", out, "--end", "2", "--plugins").returncode, 0)

    def test_functions_of_other_libraries_are_not_found(self):
        folder = os.path.join(os.path.dirname(program.PROGRAM), "plugins")
        for name in ("system", "abort", "_exit"):
            path = self.write("m.yaml", BALL + "forces: {f: {type: plugin, body: b, library: "
                              f"{folder}/spring_plugin.so, function: {name}}}}}\n")
            self.refused(f"has no function '{name}'", "run", path, "--plugins")

    def test_ends_beyond_numbers(self):
        self.refused("the end 1e+300 s is too far for steps of any size", "run", "pendulum", "--end",
                     "1e300")
        self.refused("is zero to rounding", "run", "pendulum", "--end", "1e-320")
        self.refused("the end 1e+17 s is too far", "run", "pendulum", "--end", "1e17", code=3)
        path = self.write("m.yaml", BALL.replace("end: 1", "start: 5, end: 5.00000000000001"))
        self.refused("is the start to rounding", "run", path)

    def test_names_without_end(self):
        for letters in (48, 1500, 100000):
            for text in ("bodies: {%s: {mass: 1, inertia: [1, 1, 1]}}\n",
                         "bodies:\n  %s:\n    mass: 1\n",
                         "outputs: {\"%s\": time}\n" + BALL[11:]):
                path = self.write("m.yaml", "trammel: 1\n" + text % ("n" * letters))
                err = self.refused("names have at most 47 characters", "run", path)
                self.assertLess(len(err), 2000)

    def on_terminal(self, *words):
        """What a command shows on a terminal."""
        first, second = pty.openpty()
        run = subprocess.Popen([program.PROGRAM, *words], stdout=second, stderr=second)
        self.addCleanup(run.kill)
        os.close(second)
        shown = b""
        while True:
            try:
                more = os.read(first, 65536)
            except OSError:  # its other end is closed
                break
            if not more:
                break
            shown += more
        os.close(first)
        run.wait(program.TIMEOUT)
        return shown

    def test_names_do_not_steer_the_terminal(self):
        name = 'name: "a\\e[31mred\\a\\u009b2J \\u00e9"\n'
        path = self.write("m.yaml", "trammel: 1\n" + name + BALL[11:])
        shown = self.on_terminal("run", path)
        self.assertIn(b"a\\x1b[31mred\\x07\\x9b2J \xc3\xa9: ", shown)
        self.assertNotIn(b"\x1b", shown)
        self.assertNotIn(b"\xc2\x9b", shown)
        plain = subprocess.run([program.PROGRAM, "run", path], capture_output=True).stdout
        self.assertIn(b"\x1b[31mred", plain)  # files and pipes get the bytes as they are
        shown = self.on_terminal("run", self.path("no\x1b]0;title\x07.yaml"))
        self.assertIn(b"no\\x1b]0;title\\x07.yaml", shown)
        self.assertNotIn(b"\x1b", shown)

    def test_the_progress_line_moves_on_a_terminal(self):
        shown = self.on_terminal("run", "pendulum", "--end", "1000", "--step", "1e-3")
        self.assertIn(b"\r[", shown)
        self.assertIn(b"\x1b[K", shown)


class Ends(Case):
    """Closed terminals and limits of CPU time end a run like SIGTERM: with a file that goes on."""

    def start(self, *words, **more):
        run = subprocess.Popen([program.PROGRAM, "run", *words], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, **more)
        self.addCleanup(run.kill)
        return run

    def check(self, run, path, sentence):
        out, err = run.communicate(timeout=program.TIMEOUT)
        self.assertEqual((run.returncode, out), (3, ""), err)
        self.assertIn(f"stopped on request{sentence}", err)
        self.assertIn(f"trammel run --restart {path}", err)
        again = call("run", "--restart", path, "--end", "1e-3", "--json")
        facts = call("plot", path, "--json")
        self.assertEqual(facts.returncode, 0, facts.stderr)
        self.assertIn(again.returncode, (0, 2), again.stderr)  # 2: it was beyond 1e-3 already
        self.assertNotIn("cannot", again.stderr)

    def test_signals(self):
        for number, sentence in ((signal.SIGHUP, ": the terminal was closed"),
                                 (signal.SIGXCPU, ": the limit of CPU time is reached"),
                                 (signal.SIGTERM, "")):
            path = self.path(f"{number}.h5")
            run = self.start("pendulum", "--end", "1e5", "--step", "1e-4", "--out", path)
            program.wait_for(path)
            run.send_signal(number)
            self.check(run, path, sentence)

    def test_a_limit_of_cpu_time(self):
        path = self.path("limit.h5")
        limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (1, 20))
        run = self.start("pendulum", "--end", "1e6", "--step", "1e-4", "--out", path,
                         preexec_fn=limit)
        self.check(run, path, ": the limit of CPU time is reached")

    def test_a_run_under_nohup_goes_on(self):
        run = self.start("pendulum", "--end", "200", "--step", "1e-3",
                         preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
        time.sleep(WAIT)
        run.send_signal(signal.SIGHUP)
        self.assertEqual(run.communicate(timeout=program.TIMEOUT)[1], "")
        self.assertEqual(run.returncode, 0)
