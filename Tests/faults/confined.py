"""A view of the machine's files of this process's own, in which a scratch folder alone can be changed; what tries others is found.

A program that has lost its environment works in the folders of the system. Here these are overlays: what is written there lies in the
scratch folder, where it is seen. The rest of the disk can only be read.

Needs the right to make mounts: root's, or that of a user namespace.
"""
import ctypes
import os
import subprocess
import sys

import paths

# Where the programs of a system and of a person write.
GUARDED = ("/etc", "/var", "/run", "/tmp", "/root", "/home")
# The aid's own: those of one that is installed here are not there for a trial.
OWN = ("/etc/auricle", "/var/lib/auricle", "/run/auricle")
NEW_MOUNTS = 0x20000  # CLONE_NEWNS, unshare(2)


class Confinement:
    """For the rest of this process, and for what it starts."""

    def __init__(self, scratch):
        if ctypes.CDLL(None, use_errno=True).unshare(NEW_MOUNTS) != 0:
            raise OSError(ctypes.get_errno(), "faults: expected the right to make mounts")
        mount("--make-rprivate", "/")
        mount("--bind", scratch, scratch)
        self.folder, self.overlays, self.count = f"{scratch}/outside-{os.getpid()}", [], 0
        os.makedirs(self.folder, exist_ok=True)
        mount("-t", "tmpfs", "none", self.folder)
        os.mkdir(self.folder + "/nothing")
        # An overlay shows no mounts below it: the programs could be on one.
        kept = [os.path.realpath(path) for path in (scratch, paths.PROGRAMS, paths.FOLDER)]
        self.guarded = [path for path in GUARDED if os.path.isdir(path) and not os.path.islink(path)
                        and not any(place.startswith(path + "/") for place in kept)]
        self.own = [path for path in OWN if os.path.isdir(path)]
        mount("-o", "remount,bind,ro", "/")
        self.cover()

    def cover(self):
        """Puts overlays that have changed nothing yet over all guarded folders."""
        places = [(place, place) for place in self.guarded] + [(place, self.folder + "/nothing") for place in self.own]
        for place, below in places:
            self.count += 1
            changed = f"{self.folder}/{self.count}"
            os.makedirs(changed + "/files")
            os.mkdir(changed + "/work")
            options = f"lowerdir={below},upperdir={changed}/files,workdir={changed}/work"
            # In a user namespace the overlay's own marks are attributes of another kind.
            mount("-t", "overlay", "-o", options, "overlay", place, otherwise=options + ",userxattr")
            self.overlays.append((place, changed + "/files"))

    def written(self):
        """Paths outside of the scratch folder that were written since the last time that this was asked."""
        found = sorted(place + os.path.join(folder, name)[len(files):] for place, files in self.overlays
                       for folder, folders, names in os.walk(files) for name in folders + names)
        if found:
            while self.overlays:
                subprocess.run(["umount", "--lazy", self.overlays.pop()[0]], check=True)
            self.cover()
        return found


def mount(*words, otherwise=None):
    done = subprocess.run(["mount", *words], capture_output=True, text=True)
    if done.returncode != 0 and otherwise:
        mount(*[otherwise if "=" in word else word for word in words])
    elif done.returncode != 0:
        raise OSError(f"faults: mount {' '.join(words)}: {done.stderr.strip()}")


if __name__ == "__main__":
    # Tried once before anything depends on it.
    confinement = Confinement(sys.argv[1])
    probe = "/etc/auricle-faults-probe"
    open(probe, "w").close()
    if confinement.written() != [probe] or os.path.exists(probe):
        sys.exit("a file written outside was not found")
    try:
        os.mkdir("/auricle-faults-probe")
    except OSError:
        sys.exit(0)
    sys.exit("the disk can be written")
