"""The contacts of a session file of format 6, decoded as runtime/record/format.md defines them."""

import ctypes
import ctypes.util
import struct

VALUES = ("px_m", "py_m", "pz_m", "nx", "ny", "nz", "distance_m", "force_n", "friction_x_n", "friction_y_n",
          "friction_z_n", "mu")
NEW = 2**31


def decompressed(data):
    """One zstd frame, by the C library: Python's own modules do not have it."""
    zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
    zstd.ZSTD_getFrameContentSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    size = zstd.ZSTD_getFrameContentSize(data, len(data))
    out = ctypes.create_string_buffer(max(size, 1))
    if zstd.ZSTD_decompress(out, size, data, len(data)) != size:
        raise ValueError("not a zstd frame")
    return out.raw[:size]


def decoded(data, before):
    """(i, j, feature, 32-bit patterns of VALUES) of each contact of a row; `before`: those of the row before."""
    data = decompressed(data)
    (count,) = struct.unpack_from("<I", data)
    sources = struct.unpack_from(f"<{count}I", data, 4)
    at = 4 + 4 * count
    contacts = []
    for k, difference in enumerate(sources):
        if difference == NEW:
            contacts.append((*struct.unpack_from("<iiQ", data, at), [0] * len(VALUES)))
            at += 16
        else:
            i, j, feature, bits = before[(k + difference) % 2**32]
            contacts.append((i, j, feature, list(bits)))
    for value in range(len(VALUES)):
        for byte in range(4):
            for k, contact in enumerate(contacts):
                contact[3][value] ^= data[at + k] << 8 * byte
            at += count
    return contacts


def contacts_at(database, tick):
    """The contacts at a keyframe: dicts with body_i, body_j and VALUES."""
    (whole,) = database.execute("SELECT max(tick) FROM contact_frame WHERE whole = 1 AND tick <= ?", (tick,)).fetchone()
    contacts = []
    for (data,) in database.execute("SELECT bytes FROM contact_frame WHERE tick BETWEEN ? AND ? ORDER BY tick",
                                    (whole, tick)):
        contacts = decoded(data, contacts)
    return [{"body_i": i, "body_j": j,
             **dict(zip(VALUES, struct.unpack(f"<{len(VALUES)}f", struct.pack(f"<{len(VALUES)}I", *bits))))}
            for i, j, _, bits in contacts]
