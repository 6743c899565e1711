"""Objects handed from process to process, their arrays in shared memory.

That memory returns to the system as soon as no array in it is used any more.
"""

import copyreg
import io
import mmap
import os
import pickle
import tempfile
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from evalcore.errors import EvalError

_ALIGNED = 64
"""Where arrays begin: Arrow asks for multiples of 64 bytes."""

_HEAD = 8
"""Bytes at the start of a parcel that say how long the description of its objects is."""

_SMALL = 4096
"""Shorter arrays are written among the objects: a page of memory of their own costs more."""


class _Open(NamedTuple):
    """A parcel in use in this process."""

    memory: "weakref.ref[mmap.mmap]"
    address: int
    size: int
    descriptor: int


_WRITERS = 2
"""Threads that write a parcel: one copies as fast as one processor takes memory into use."""

_OPEN: dict[tuple[int, int], _Open] = {}
"""The parcels in use, by device and number of their file."""


def pack(held: Any, most: float = float("inf")) -> list[int]:
    """Write an object to a new parcel; return its file descriptor, and those that it refers to.

    An array that lies in a parcel already is referred to, not copied. The first descriptor is the
    caller's to close; the others close with the memory that they stand for.

    Raises:
        MemoryError: The arrays have more than `most` bytes.
    """
    stream, places = io.BytesIO(), _Places()
    _Pickler(stream, protocol=5, buffer_callback=places.add).dump(held)
    if places.size > most:
        raise MemoryError
    described = pickle.dumps((stream.getvalue(), places.found))
    head = len(described).to_bytes(_HEAD, "little") + described
    descriptor, begin = _memory_file(), _aligned(len(head))
    try:
        with ThreadPoolExecutor(_WRITERS) as pool:
            written = [pool.submit(_write, descriptor, memoryview(head), 0)]
            for start, buffer in places.copied:
                written.append(pool.submit(_write, descriptor, buffer, begin + start))
            for one in written:
                one.result()
    except BaseException:  # such as being stopped
        os.close(descriptor)
        raise
    return [descriptor, *places.parcels]


def _write(descriptor: int, buffer: memoryview, at: int) -> None:
    while buffer.nbytes:
        written = os.pwrite(descriptor, buffer, at)
        buffer, at = buffer[written:], at + written


def unpack(descriptors: Sequence[int]) -> Any:
    """Return the object in the first of some parcels; the descriptors close with their memory."""
    memories = [_mapped(descriptor) for descriptor in descriptors]
    first = memories[0]
    end = _HEAD + int.from_bytes(first[:_HEAD], "little")
    stream, found = pickle.loads(first[_HEAD:end])
    buffers = []
    for parcel, start, length in found:
        begin = start if parcel else _aligned(end) + start
        buffers.append(memories[parcel][begin : begin + length])
    return pickle.loads(stream, buffers=buffers)


def _aligned(place: int) -> int:
    return place + -place % _ALIGNED


class _Places:
    """Where the arrays of an object lie: parcel, start, length; parcel 0 is the one being made.

    An array that several refer to, as a table and its data set do, is copied once.
    """

    def __init__(self) -> None:
        self.found: list[tuple[int, int, int]] = []
        self.copied: list[tuple[int, memoryview]] = []
        self.parcels: list[int] = []
        self.size = 0
        self._known: dict[tuple[int, int], tuple[int, int, int]] = {}

    def add(self, buffer: pickle.PickleBuffer) -> bool:
        """Find a place for an array; True where it is to stand among the objects."""
        raw = buffer.raw()
        if raw.nbytes < _SMALL:
            return True
        address = _address(raw)
        if (address, raw.nbytes) not in self._known:
            self._known[address, raw.nbytes] = self._place(raw, address)
        self.found.append(self._known[address, raw.nbytes])
        return False

    def _place(self, raw: memoryview, address: int) -> tuple[int, int, int]:
        for one in list(_OPEN.values()):
            # Memory that has just gone still stands here, and other arrays may lie in its place.
            if one.memory() and one.address <= address < one.address + one.size:
                if one.descriptor not in self.parcels:
                    self.parcels.append(one.descriptor)
                place = self.parcels.index(one.descriptor) + 1
                return place, address - one.address, raw.nbytes
        start = _aligned(self.size)
        self.copied.append((start, raw))  # whose memory is kept, so that no other takes its place
        self.size = start + raw.nbytes
        return 0, start, raw.nbytes


class _Pickler(pickle.Pickler):
    """Writes two kinds of objects that pickle by itself cannot."""

    def reducer_override(self, held: Any) -> Any:
        if isinstance(held, MappingProxyType):
            return _proxy, (dict(held),)
        if isinstance(held, EvalError):
            return copyreg.__newobj__, (type(held), *held.args), vars(held)  # type: ignore[attr-defined]
        return NotImplemented


def _proxy(held: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(held)


def _memory_file() -> int:
    """Return a descriptor of memory that processes can share, else of a file without a name."""
    if hasattr(os, "memfd_create"):
        return os.memfd_create("evalboard")
    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())


def _mapped(descriptor: int) -> memoryview:
    """Return the memory of a parcel, read-only; it is mapped once in a process."""
    file = os.fstat(descriptor)
    key = file.st_dev, file.st_ino
    one = _OPEN.get(key)
    known = one.memory() if one is not None else None
    if known is not None:
        os.close(descriptor)
        return memoryview(known)
    memory = mmap.mmap(descriptor, file.st_size, prot=mmap.PROT_READ)
    address = _address(memoryview(memory))
    _OPEN[key] = _Open(weakref.ref(memory), address, file.st_size, descriptor)
    weakref.finalize(memory, _close, key, descriptor)
    return memoryview(memory)


def _close(key: tuple[int, int], descriptor: int) -> None:
    if key in _OPEN and _OPEN[key].descriptor == descriptor:
        del _OPEN[key]
    os.close(descriptor)


def _address(buffer: memoryview) -> int:
    return int(np.frombuffer(buffer, np.uint8).ctypes.data)
