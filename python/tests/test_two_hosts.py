"""The detector trains on two hosts: two network namespaces with an address each and a cable.

Processes in one namespace cannot reach the other but by the cable (a veth pair). Needs root, and
`ip` of iproute2. The namespaces are this test's own, and are removed with all that is in them.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from example_runs import (
    DETECTOR,
    TORCHRUN,
    checksums,
    environment,
    losses,
    needs_mluop,
    needs_torchrun,
)

SECONDS = 120
CABLE = "cable"  # the name of the interface in both namespaces
ADDRESSES = ("10.77.0.1", "10.77.0.2")
# Gradients of 312 000 parameters in six steps are 7.5 MB.
SENT_AT_LEAST = 4_000_000

pytestmark = [pytest.mark.network_namespaces, needs_mluop, needs_torchrun]


def ip(*arguments: str) -> str:
    run = subprocess.run(["ip", *arguments], capture_output=True, text=True, timeout=20)
    if run.returncode:
        raise OSError(f"ip {' '.join(arguments)}: {run.stderr.strip()}")
    return run.stdout


def connect(hosts: list[str]) -> None:
    """A cable between two namespaces, with an address at each end."""
    first, second = hosts
    ip("link", "add", CABLE, "netns", first, "type", "veth", "peer", CABLE, "netns", second)
    for host, address in zip(hosts, ADDRESSES):
        ip("-n", host, "address", "add", f"{address}/24", "dev", CABLE)
        ip("-n", host, "link", "set", CABLE, "up")
        ip("-n", host, "link", "set", "lo", "up")


@pytest.fixture
def hosts() -> Iterator[list[str]]:
    """Names of two connected namespaces."""
    if shutil.which("ip") is None:
        pytest.skip("no program ip (Debian's package iproute2)")
    names = [f"mluops-{os.getpid()}-{number}" for number in range(2)]
    made: list[str] = []
    try:
        try:
            for name in names:
                ip("netns", "add", name)
                made.append(name)
            connect(names)
            ip("netns", "exec", names[0], "true")
        except OSError as refused:
            pytest.skip(f"this machine does not allow network namespaces: {refused}")
        yield names
    finally:
        for name in made:
            ip("netns", "delete", name)


def start(host: str, number: int, folder: Path) -> subprocess.Popen[bytes]:
    """One torchrun with one process, as it is started on each of two machines."""
    command = ["ip", "netns", "exec", host, *TORCHRUN, "--nnodes=2", f"--node-rank={number}"]
    command += ["--nproc-per-node=1", f"--master-addr={ADDRESSES[0]}", "--master-port=29400"]
    command += [f"--local-addr={ADDRESSES[number]}", *DETECTOR, "--out", str(folder)]
    with open(folder / f"{number}.txt", "wb") as output:
        return subprocess.Popen(
            command,
            env=environment(1, GLOO_SOCKET_IFNAME=CABLE),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # so that torchrun can be ended with the process it started
        )


def wait(running: list[subprocess.Popen[bytes]]) -> list[int | None]:
    """Until all have ended, one has failed, or SECONDS are over; then ends the rest (None)."""
    end = time.monotonic() + SECONDS
    try:
        while True:
            codes = [process.poll() for process in running]
            if None not in codes or any(codes) or time.monotonic() > end:
                return codes
            time.sleep(0.1)
    finally:
        for process in running:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def received(host: str) -> int:
    """Bytes that came over the cable."""
    (link,) = json.loads(ip("-n", host, "-json", "-stats", "link", "show", "dev", CABLE))
    return int(link["stats64"]["rx"]["bytes"])


def test_two_hosts(hosts: list[str], tmp_path: Path) -> None:
    running = [start(host, number, tmp_path) for number, host in enumerate(hosts)]
    codes = wait(running)
    outputs = [(tmp_path / f"{number}.txt").read_text() for number in range(2)]
    assert codes == [0, 0], "\n".join(outputs)
    fallen = losses(outputs[0])
    assert len(fallen) == 3
    assert fallen[-1] < 0.8 * fallen[0]
    first, second = (checksums(output) for output in outputs)
    assert list(first) == [0]
    assert list(second) == [1]
    assert first[0] == second[1]
    assert all(received(host) > SENT_AT_LEAST for host in hosts)
