"""Completes a command line in an interactive zsh: zsh_completion.py FOLDER PATH LINE

FOLDER is where the completion `_mluop` is, PATH where the program is. Prints what zsh shows after a tab, then
"line: " and the line as it is then.
"""

import sys
import tempfile
import time
from pathlib import Path

from terminal import SEQUENCE, Session

folder, path, line = sys.argv[1:]
set_up = f"""
PS1='ready> ' PROMPT_EOL_MARK= LISTMAX=100000
path=({path} $path) fpath=({folder} $fpath)
setopt no_list_ambiguous
autoload -Uz compinit && compinit -u -D
show-line() {{ zle -I; print -r -- "line: $BUFFER|" }}
zle -N show-line && bindkey '^T' show-line
all-offered() {{ : >$ZDOTDIR/offered }}
comppostfuncs=(all-offered)
"""
with tempfile.TemporaryDirectory() as home:
    Path(home, ".zshrc").write_text(set_up)
    session = Session(["zsh", "-d", "-i"], 200, {"ZDOTDIR": home})
    session.wait_for("ready> ")
    session.settle(0.3)
    session.output = ""
    session.send(line + "\t")
    end = time.monotonic() + 60
    while not Path(home, "offered").exists():
        if time.monotonic() > end:
            sys.exit(f"no completion of {line!r}: {session.output}")
        session.settle(0.1)
    session.settle(1)  # the list follows at once
    session.send("\x14")
    session.wait_for("|")
    shown = SEQUENCE.sub("", session.output).replace("\r", "\n").replace("\a", "")
    session.close()
print(shown)
