"""`python -m warcorpus`: the program."""

import os
import sys

from ._program import program

path = program()
if sys.platform == "win32":
    import subprocess

    sys.exit(subprocess.call([path, *sys.argv[1:]]))
os.execv(path, [path, *sys.argv[1:]])
