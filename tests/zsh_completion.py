"""Completes a command line in an interactive zsh: zsh_completion.py FOLDER PATH LINE

FOLDER holds the completion as `_mluop`, PATH the program. Prints what zsh shows after a tab, then
"line: " and the line as it is then.
"""

import os
import sys

from terminal import SEQUENCE, Session

folder, path, line = sys.argv[1:]
set_up = f"""
PS1='ready> ' PROMPT_EOL_MARK= LISTMAX=100000
path=({path} $path) fpath=({folder} $fpath)
autoload -Uz compinit && compinit -u -D
show-line() {{ zle -I; print -r -- "line: $BUFFER|" }}
zle -N show-line && bindkey '^X' show-line
print set-up-done
"""
session = Session(["zsh", "-f", "-i"], 200, {"ZDOTDIR": os.devnull})
session.wait_for("%")
for command in set_up.strip().splitlines():
    session.send(command + "\n")
session.wait_for("\nset-up-done")
session.wait_for("ready> ")
while session.read(0.3):
    pass
session.output = ""
session.send(line + "\t")
while session.read(1.5):
    pass
session.send("\x18")
session.wait_for("|")
while session.read(0.3):
    pass
shown = SEQUENCE.sub("", session.output).replace("\r", "\n").replace("\a", "")
session.send("\x03exit\n")
session.finish()
print(shown)
