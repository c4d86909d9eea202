"""A disk that can be filled: a small file system of its own where one may be mounted, else a limit
on the size of the files that the process may write."""

from __future__ import annotations

import atexit
import os
import resource
import shutil
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MEGABYTES = 160
PIECE = b"\0" * (1 << 20)


class Disk:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(exist_ok=True)
        self.real = False
        """Whether it is a disk of its own that is filled."""
        self._limited: int | None = None
        if os.geteuid() == 0 and not os.path.ismount(folder):
            self._mount()

    def _mount(self) -> None:
        """The folder on a small disk of its own, with what was in it."""
        kept = self._folder.with_name(f"{self._folder.name}.kept")
        self._folder.rename(kept)
        self._folder.mkdir()
        options = ["-t", "tmpfs", "-o", f"size={MEGABYTES}m", "none", str(self._folder)]
        done = subprocess.run(["mount", *options], capture_output=True, check=False)
        self.real = done.returncode == 0
        atexit.register(self._unmount)
        try:
            shutil.copytree(kept, self._folder, dirs_exist_ok=True)
            shutil.rmtree(kept)
        except BaseException:
            self._unmount()
            self._folder.rmdir()
            kept.rename(self._folder)
            raise

    def _unmount(self) -> None:
        """At once, or, while somebody still has a file open there, as soon as nobody has."""
        atexit.unregister(self._unmount)
        if not self.real:
            return
        self.real = False
        for how in ([], ["--lazy"]):
            done = subprocess.run(
                ["umount", *how, str(self._folder)], capture_output=True, check=False
            )
            if done.returncode == 0:
                return
        raise OSError(f"{self._folder} is still mounted: {done.stderr.decode().strip()}")

    @property
    def _filler(self) -> Path:
        return self._folder / "filler"

    def fill(self, pid: int) -> str:
        """No more room; how it was done."""
        if not self.real:
            largest = max(path.stat().st_size for path in self._folder.iterdir())
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
            self._limited = pid
            return "limit"
        with self._filler.open("wb", buffering=0) as file:
            size = len(PIECE)
            while size:
                try:
                    file.write(PIECE[:size])
                except OSError:
                    size //= 16
        return "disk"

    @property
    def full(self) -> bool:
        return self._limited is not None or self._filler.exists()

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)
        if self._limited is not None:
            unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(self._limited, resource.RLIMIT_FSIZE, unlimited)
            self._limited = None

    def release(self) -> None:
        """Leaves the files of the day where they were, on an ordinary disk again."""
        self._filler.unlink(missing_ok=True)
        if not self.real:
            return
        kept = self._folder.with_name(f"{self._folder.name}.kept")
        try:
            shutil.copytree(self._folder, kept, symlinks=True)
        finally:
            self._unmount()
        shutil.copytree(kept, self._folder, dirs_exist_ok=True)
        shutil.rmtree(kept)
