#!/usr/bin/env python3
"""Makes sample.arc.gz and sample.warc.zst: a few records of web.warc.gz in two other containers.

    python3 make_formats.py            write both
    python3 make_formats.py --check    read both again and compare every block with web.warc.gz

Lives beside make.py. The ARC file needs the standard library only, the zstd file the package `zstandard`; its bytes
are the same with the same version of that (made with 0.25).
"""
import os
import struct
import sys
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
RESPONSES = 12
DICTIONARY = 8 << 10


def read(name):
    with open(os.path.join(HERE, name), "rb") as f:
        return f.read()


def members(data):
    while data:
        z = zlib.decompressobj(31)
        yield z.decompress(data) + z.flush()
        data = z.unused_data


def parse(raw):
    """Header fields and block of a WARC record."""
    head, rest = raw.split(b"\r\n\r\n", 1)
    fields = dict(line.split(": ", 1) for line in head.decode().split("\r\n")[1:])
    return fields, rest[:int(fields["Content-Length"])]


def chosen():
    """The warcinfo record and the first responses that say what they are."""
    records = [(raw, *parse(raw)) for raw in members(read("web.warc.gz"))]
    info = [r for r in records if r[1]["WARC-Type"] == "warcinfo"][:1]
    pages = [r for r in records if r[1]["WARC-Type"] == "response" and b"\r\nContent-Type: " in r[2][:500]]
    return info, pages[:RESPONSES]


def member(data):
    """A gzip member without time and name."""
    z = zlib.compressobj(9, zlib.DEFLATED, 31)
    return z.compress(data) + z.flush()


def date14(date):
    return "".join(c for c in date if c.isdigit())[:14]


def arc_record(url, ip, date, mime, body):
    return f"{url} {ip} {date} {mime} {len(body)}\n".encode() + body + b"\n"


def arc(pages):
    first = date14(pages[0][1]["WARC-Date"])
    body = b"1 0 warcorpus samples\nURL IP-address Archive-date Content-type Archive-length\n"
    records = [arc_record("filedesc://sample.arc.gz", "0.0.0.0", first, "text/plain", body)]
    dns = f"{first}\nwww.lantern-gazette.example.\t300\tIN\tA\t192.0.2.1\n".encode()
    records.append(arc_record("dns:www.lantern-gazette.example", "192.0.2.53", first, "text/dns", dns))
    for n, (_, fields, block) in enumerate(pages):
        mime = block.split(b"\r\nContent-Type: ", 1)[1].split(b"\r\n", 1)[0].split(b";")[0].decode()
        ip = fields.get("WARC-IP-Address", f"192.0.2.{n + 1}")
        records.append(arc_record(fields["WARC-Target-URI"], ip, date14(fields["WARC-Date"]), mime, block))
    return b"".join(member(record) for record in records)


def zst(info, pages):
    import zstandard
    every = list(members(read("web.warc.gz")))
    dictionary = zstandard.train_dictionary(DICTIONARY, every, dict_id=0x77617263)
    packed = zstandard.ZstdCompressor(level=19).compress(dictionary.as_bytes())
    out = [b"\x5d\x2a\x4d\x18" + struct.pack("<I", len(packed)) + packed]
    c = zstandard.ZstdCompressor(level=19, dict_data=dictionary, write_checksum=True, write_dict_id=True)
    return b"".join(out + [c.compress(raw) for raw, _, _ in info + pages])


def check():
    import zstandard
    info, pages = chosen()
    blocks = [block for _, _, block in pages]
    bodies = []
    for raw in members(read("sample.arc.gz")):
        line, body = raw.split(b"\n", 1)
        n = int(line.split(b" ")[-1])
        assert body[n:] == b"\n", line
        bodies.append(body[:n])
    assert bodies[2:] == blocks
    data = read("sample.warc.zst")
    size = struct.unpack("<I", data[4:8])[0]
    dictionary = zstandard.ZstdCompressionDict(zstandard.ZstdDecompressor().decompress(data[8:8 + size]))
    d, data, got = zstandard.ZstdDecompressor(dict_data=dictionary), data[8 + size:], []
    while data:
        o = d.decompressobj()
        got.append(o.decompress(data))
        data = o.unused_data
    assert got == [raw for raw, _, _ in info + pages]
    print(len(bodies), "ARC records,", len(got), "zstd frames: same blocks as in web.warc.gz")


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    info, pages = chosen()
    for name, data in (("sample.arc.gz", arc(pages)), ("sample.warc.zst", zst(info, pages))):
        with open(os.path.join(HERE, name), "wb") as f:
            f.write(data)
        print(name, len(data), "bytes")


if __name__ == "__main__":
    main()
