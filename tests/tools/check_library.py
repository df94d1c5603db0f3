#!/usr/bin/env python3
"""check_library ARCHIVE.. - what the compiled libraries promise to its user:
its global names begin with trm_ or trmi_, it keeps no variable outside of objects,
and it calls nothing that prints or ends the process."""

import re
import subprocess
import sys

FORBIDDEN = {"printf", "vprintf", "fprintf", "vfprintf", "puts", "putchar", "perror", "stdout",
             "stderr", "exit", "_exit", "_Exit", "quick_exit", "abort", "longjmp", "setjmp",
             "_setjmp", "signal", "sigaction", "rand", "srand", "getenv", "setlocale", "system"}
# __printf_chk and friends are the same functions, hardened
HARDENED = re.compile(r"^__(\w+?)_chk$")
# src/core/gate.h: a lock around libraries that keep variables themselves; it is open between calls
GATE = re.compile(r"trmi_gate_\w+")


def check(archive):
    symbols = subprocess.run(["objdump", "-t", archive], capture_output=True, text=True,
                             check=True).stdout
    where, count = "", 0
    # 0000000000000000 l     O .bss	0000000000000004 name
    line_form = re.compile(r"^[0-9a-f]+ (.{7}) (\S+)\s+[0-9a-f]+ (?:\.hidden )?(\S+)$")
    for line in symbols.splitlines():
        m = re.match(r"^(\S+\.o):", line)
        if m is not None:
            where = m.group(1)
        m = line_form.match(line)
        if m is None:
            continue
        flags, section, name = m.groups()
        count += 1
        if section == "*UND*":
            hardened = HARDENED.match(name)
            if name in FORBIDDEN or (hardened is not None and hardened.group(1) in FORBIDDEN):
                yield f"{where}: the library refers to {name}"
        elif flags[0] == "g" and not re.match(r"trmi?_", name):
            yield f"{where}: global name {name} does not begin with trm_ or trmi_"
        elif (flags[6] == "O" and re.match(r"\.(data|bss|tdata|tbss)(?!\.rel\.ro)", section)
              and not GATE.fullmatch(name)):
            yield f"{where}: variable {name} outlives the calls: the library keeps no globals"
    if count == 0:
        yield f"{archive}: no symbols found"


def main():
    findings = [f for archive in sys.argv[1:] for f in check(archive)]
    for sentence in findings:
        print(sentence)
    print(f"{len(findings)} findings")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
