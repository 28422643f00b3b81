"""Arrays of many files as one, read from the files where they are asked: all clips together would fill the memory."""
import zipfile
import numpy as np


def mapped(path):
    """The arrays of an .npz that is not compressed, by name, read when they are used."""
    with zipfile.ZipFile(path) as archive:
        return {info.filename.removesuffix(".npy"): mapped_array(path, info.header_offset) for info in archive.infolist()}


def mapped_array(path, start):
    """The array whose entry in the archive begins there."""
    with open(path, "rb") as stream:
        stream.seek(start)
        entry = stream.read(30)
        stream.seek(int.from_bytes(entry[26:28], "little") + int.from_bytes(entry[28:30], "little"), 1)
        np.lib.format.read_magic(stream)
        shape, _, kind = np.lib.format.read_array_header_1_0(stream)
        return np.memmap(path, kind, "r", stream.tell(), shape) if np.prod(shape) else np.zeros(shape, kind)


class Joined:
    """Arrays one after the other. Rows are asked by their numbers, or as NumPy has it."""

    def __init__(self, arrays, places=None):
        self.arrays = arrays
        # Number of the array and of its row, of each row.
        self.places = [(n, row) for n, x in enumerate(arrays) for row in range(len(x))] if places is None else places

    def __len__(self):
        return len(self.places)

    def __getitem__(self, rows):
        return np.array([self.arrays[n][row] for n, row in self.chosen(rows).places])

    def chosen(self, rows):
        """Those rows alone, not read yet."""
        return Joined(self.arrays, [self.places[k] for k in np.arange(len(self))[rows]])
