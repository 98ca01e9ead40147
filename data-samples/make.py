#!/usr/bin/env python3
"""Makes web.warc.gz, damaged.warc.gz and the table in README.md.

    python3 make.py            write the archives and the table
    python3 make.py --check    read the archives again and check every record

Standard library only. The output is the same on every run with the same zlib.
"""
import base64
import calendar
import configparser
import hashlib
import os
import re
import struct
import sys
import time
import unicodedata
import uuid
import zlib

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import templates  # noqa: E402

START = calendar.timegm((2025, 11, 1, 4, 0, 0))


# ---------------------------------------------------------------- sources

class Article:
    """texts/NAME.txt: title, "author | date", then paragraphs; "== " heading, "> " quotation."""

    def __init__(self, name):
        parts = read(f"texts/{name}.txt").strip().split("\n\n")
        self.title, by = parts[0].split("\n")
        self.author, self.date = by.split(" | ")
        self.blocks = []
        for part in parts[1:]:
            part = " ".join(part.split("\n"))
            if part.startswith("== "):
                self.blocks.append(("h", part[3:]))
            elif part.startswith("> "):
                self.blocks.append(("q", part[2:]))
            else:
                self.blocks.append(("p", part))

    def edited(self, edits):
        for old, new in edits:
            assert any(old in text for _, text in self.blocks) or old in self.title, old
            self.title = self.title.replace(old, new)
            self.blocks = [(kind, text.replace(old, new)) for kind, text in self.blocks]
        return self


def read(path):
    with open(os.path.join(HERE, path), encoding="utf-8", newline="") as f:
        return f.read()


UI = configparser.ConfigParser(interpolation=None)
UI.read_string(read("texts/ui.ini"))

SITES = {
    "www.lantern-gazette.example": "The Lantern Gazette",
    "www.harbourwire.example": "Harbour Wire",
    "northcoast.example.org": "North Coast Today",
    "oldpages.example.net": "Old Pages",
    "blog.twowheels.example": "Two Wheels",
    "forum.garden.example": "The Garden Forum",
    "docs.tinytool.test": "ticker",
    "noviny.example.org": "Noviny z údolí",
    "www.knihovna-podlesi.test": "Knihovna Podlesí",
    "zrcadlo.example.net": "Zrcadlo",
    "zeitung.example.com": "Talzeitung",
    "imkerei.example": "Imkerei am Hang",
    "shop.example.com": "Haus & Herd",
    "www.carnets.example": "Carnets",
    "revista.example.org": "La Revista",
    "dedina.test": "Dedina",
    "gazeta.example": "Gazeta Znad Rzeki",
    "hirek.test": "Völgyi Hírek",
    "vestnik.test": "Вестник",
    "world.example.org": "World Pages",
    "machi.example": "まちの声",
    "laojie.test": "老街",
    "maeul.example": "마을 소식",
}

ISO3 = dict(en="eng", de="deu", fr="fra", es="spa", cs="ces", sk="slk", pl="pol", hu="hun", fi="fin", tr="tur",
            vi="vie", ru="rus", uk="ukr", el="ell", ar="ara", he="heb", hi="hin", zh="zho", ja="jpn", th="tha",
            ko="kor")


# ---------------------------------------------------------------- HTTP

def page(url, lang, source, template=None, codec="utf-8", **o):
    """One page: its address, language, source and how it was served.

    http, meta      charset named in Content-Type, in the page ("" = none)
    edits, lead     changes to the text of an article
    show, fate      for the table
    """
    o.update(url=url, lang=lang, source=source, template=template, codec=codec, kind="page")
    return o


def body_of(p):
    source = p["source"]
    if isinstance(source, bytes):
        return source
    if p["template"]:
        article = Article(source).edited(p.get("edits", []))
        if "only" in p:
            article.blocks = article.blocks[:p["only"]]
        if "lead" in p:
            article.blocks.insert(0, ("p", p["lead"]))
        if "title" in p:
            article.title = p["title"]
        host = p["url"].split("/")[2]
        lang = p.get("ui", p["lang"])
        meta = p.get("meta", p["codec"])
        text = templates.ALL[p["template"]](article, UI[lang], SITES[host], p.get("canonical", p["url"]), lang,
                                            charset=meta, head=p.get("head", ""))
    else:
        text = read(f"pages/{source}")
    if p.get("longline"):
        text = " ".join(text.split("\n"))
        pixels = base64.b64encode(bytes(range(256)) * 90).decode()
        text = text.replace("<body", f'<body data-x="data:image/gif;base64,{pixels}"', 1)
    if p.get("nfd"):
        text = unicodedata.normalize("NFD", text)
    data = text.encode(p["codec"], "xmlcharrefreplace")
    return p.get("bom", b"") + data


def deflate(data, wbits):
    z = zlib.compressobj(9, zlib.DEFLATED, wbits)
    return z.compress(data) + z.flush()


def member(data):
    """One gzip member with a fixed header."""
    head = b"\x1f\x8b\x08\0\0\0\0\0\2\xff"
    return head + deflate(data, -15) + struct.pack("<II", zlib.crc32(data), len(data))


def chunked(data, size=1500):
    out = b""
    for i in range(0, len(data), size):
        part = data[i:i + size]
        out += b"%x\r\n%s\r\n" % (len(part), part)
    return out + b"0\r\n\r\n"


def http_response(p):
    """(header bytes, payload as stored)"""
    body = body_of(p)
    ctype = p.get("ctype", "text/html")
    if p.get("http"):
        ctype += "; charset=" + p["http"]
    lines = [("HTTP/1.1 " + p.get("status", "200 OK"))]
    lines += ["Date: " + time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(START)), "Server: hedgehog/1.2"]
    if ctype:
        lines.append("Content-Type: " + ctype)
    lines += p.get("headers", [])
    coding = p.get("coding")
    if coding == "gzip":
        body = member(body)
        lines.append("Content-Encoding: gzip")
    elif coding == "deflate":
        body = deflate(body, 15)
        lines.append("Content-Encoding: deflate")
    elif coding == "raw deflate":
        body = deflate(body, -15)
        lines.append("Content-Encoding: deflate")
    elif coding == "decoded":  # the header stayed, the coding is gone
        lines.append("Content-Encoding: gzip")
    elif coding == "crawler":
        lines += ["X-Crawler-Content-Encoding: gzip", f"X-Crawler-Content-Length: {len(member(body))}"]
    if p.get("chunked"):
        body = chunked(body)
        lines.append("Transfer-Encoding: chunked")
    elif p.get("xchunked"):
        lines.append("X-Crawler-Transfer-Encoding: chunked")
    else:
        lines.append(f"Content-Length: {len(body)}")
    if p.get("cut"):
        body = body[:p["cut"]]
    end = "\n" if p.get("lf") else "\r\n"
    head = (end.join(lines) + end + end).encode("utf-8")
    if p.get("no_status"):
        head = b""
    return head, body


# ---------------------------------------------------------------- WARC

def sha1(data):
    return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()


class Writer:
    def __init__(self):
        self.members, self.types, self.captured, self.clock = [], {}, {}, START

    def date(self):
        self.clock += 7
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.clock))

    def record(self, kind, block, ctype, url=None, payload=None, extra=(), version="1.0", date=None):
        rid = f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'{kind} {url} {len(self.members)}')}>"
        head = [("WARC-Type", kind), ("WARC-Date", date or self.date()), ("WARC-Record-ID", rid)]
        head += [("Content-Length", str(len(block)))]
        if ctype:
            head.append(("Content-Type", ctype))
        if url:
            head.append(("WARC-Target-URI", url))
        if payload is not None:
            head.append(("WARC-Payload-Digest", sha1(payload)))
        head.append(("WARC-Block-Digest", sha1(block)))
        head += list(extra)
        text = f"WARC/{version}\r\n" + "".join(f"{k}: {v}\r\n" for k, v in head) + "\r\n"
        self.members.append(member(text.encode("utf-8") + block + b"\r\n\r\n"))
        self.types[kind] = self.types.get(kind, 0) + 1
        return rid

    def info(self, name):
        text = (f"software: make.py\r\nformat: WARC File Format 1.0\r\nisPartOf: warcorpus-sample\r\n"
                "description: invented pages that show what warcorpus does\r\n"
                "license: CC0-1.0\r\nrobots: classic\r\n").encode()
        return self.record("warcinfo", text, "application/warc-fields", extra=[("WARC-Filename", name)])

    def capture(self, p, info):
        """A response, with its request and metadata if the page asks for them."""
        url, date = p["url"], self.date()
        more = [("WARC-Warcinfo-ID", info), ("WARC-IP-Address", "192.0.2.17")]
        if p.get("triple"):
            path = "/" + url.split("/", 3)[3]
            host = url.split("/")[2]
            request = (f"GET {path} HTTP/1.1\r\nUser-Agent: samplebot/1.0\r\nAccept: text/html\r\n"
                       f"Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip\r\nHost: {host}\r\n\r\n").encode()
            self.record("request", request, "application/http; msgtype=request", url, extra=more, date=date)
        head, payload = http_response(p)
        extra = more + ([("WARC-Truncated", "length")] if p.get("cut") else [])
        if "identified" in p:
            extra.append(("WARC-Identified-Payload-Type", p["identified"]))
        rid = self.record("response", head + payload, "application/http; msgtype=response", url,
                          payload if head else None, extra, p.get("version", "1.0"), date)
        self.captured[url] = date
        if p.get("triple"):
            fields = f"fetchTimeMs: {len(payload) % 400 + 60}\r\ncharset-detected: {p['codec']}\r\n".encode()
            self.record("metadata", fields, "application/warc-fields", url,
                        extra=more + [("WARC-Concurrent-To", rid)], date=date)
        return rid

    def bytes(self):
        return b"".join(self.members)


# ---------------------------------------------------------------- the plan

G, H, N, O = ("https://www.lantern-gazette.example/", "https://www.harbourwire.example/",
              "https://northcoast.example.org/", "http://oldpages.example.net/")
CS, KN, W = "https://noviny.example.org/", "http://www.knihovna-podlesi.test/", "https://world.example.org/"
KEPT = "kept"


def near(of):
    return f"dropped: near duplicate of {of}"


FERRY_WIRE = [("announced on Tuesday", "said on Tuesday"), ("welcomed the news", "were pleased"),
              ("a little more than half", "just over half")]
FERRY_OLD = [("Island ferry to run through the winter for the first time", "Mewstone boat to sail all winter"),
             ("a second-hand vessel", "an older vessel"), ("a third of them", "thirty of them"),
             ("bring warm clothing", "dress warmly")]
FERRY_LEAD = ("For our readers on the north coast this is the news of the week: the island will no longer be cut off "
              "between November and Easter.")
CLOCK_B = [("very little", "not much"), ("always hold the case", "be sure to hold the case"),
           ("a great deal of harm", "a lot of harm"), ("Wait for a full day", "Wait for a whole day")]
CLOCK_C = CLOCK_B + [("usually not broken", "rarely broken"), ("as even as footsteps", "as steady as footsteps"),
                     ("with a pencil", "in pencil"), ("Oil draws dust", "Oil attracts dust"),
                     ("Most people turn", "People turn")]
BRIDGE = [("Oznámil to v pondělí", "V pondělí to oznámil"), ("necelých devadesát", "téměř devadesát"),
          ("Místní obyvatelé se na otevření těší", "Místní se na otevření těší"),
          ("budou jezdit zdarma", "pojedou zdarma")]
SPACE = '<link rel="alternate" hreflang="cs" href="%s"><link rel="alternate" hreflang="x-default" href="https://world.example.org/">\n'
BINARY = b"<html>" + b"".join(hashlib.sha256(bytes([i])).digest() + b"\0\0" for i in range(60))
PNG = (b"\x89PNG\r\n\x1a\n" + b"".join(
    struct.pack(">I", len(d)) + t + d + struct.pack(">I", zlib.crc32(t + d)) for t, d in
    [(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(b"\0\x7f", 9)), (b"IEND", b"")]))


def pdf():
    objects = [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
               b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R"
               b"/Resources<</Font<</F 5 0 R>>>>>>",
               b"<</Length 44>>stream\nBT /F 14 Tf 20 50 Td (A very small page.) Tj ET\nendstream",
               b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"]
    out, offsets = b"%PDF-1.4\n", []
    for i, o in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj%s endobj\n" % (i, o)
    start = len(out)
    out += b"xref\n0 6\n0000000000 65535 f \n" + b"".join(b"%010d 00000 n \n" % o for o in offsets)
    return out + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % start


PLAN = [
    # English
    page(G + "science/lighthouse-lens", "en", "en-lighthouse", "modern", http="utf-8", triple=True,
         show="modern HTML5; its last paragraph comes again in /sea/tides.html",
         fate=near("the print view, which prints its own address too")),
    page(H + "sea/tides.html", "en", "en-tides", "soup", http="UTF-8", triple=True,
         show="paragraph shared with an otherwise different article",
         fate=KEPT),
    page("https://blog.twowheels.example/2024/09/choosing", "en", "en-bicycle", "upper", http="utf-8",
         show="upper-case tags, `<P>` and `<LI>` never closed", fate=KEPT),
    page(G + "science/bread", "en", "en-bread", "modern", http="utf-8", coding="gzip", triple=True,
         show="Content-Encoding: gzip", fate=KEPT),
    page(G + "archive/2024/bread-teaser", "en", "en-bread", "soup", http="utf-8", only=2,
         title="Bread and time: the beginning", show="the first two paragraphs of /science/bread",
         fate="dropped: overlap (too short to be a near duplicate)"),
    page(O + "wick/library.htm", "en", "en-library", "table98", codec="windows-1252", meta="windows-1252",
         show="table layout, `<font>`, paragraphs made of `<br><br>`", fate=KEPT),
    page(G + "science/night-sky", "en", "en-stars", "modern", http="utf-8", chunked=True, triple=True,
         show="chunked transfer coding", fate=KEPT),
    page(G + "science/night-sky?sid=8f14e45fceea", "en", "en-stars", "modern", http="utf-8",
         canonical=G + "science/night-sky", show="session id; the same bytes as /science/night-sky",
         fate="dropped: exact duplicate"),
    page(G + "print/lighthouse-lens", "en", "en-lighthouse", "printed", http="utf-8",
         show="print view: the same text on a bare page",
         fate="kept: the longest of two; the last paragraph dropped: overlap"),
    page(H + "2025/10/ferry.html", "en", "en-ferry", "modern", http="utf-8", triple=True,
         show="agency story", fate=near("the version with a lead")),
    page(G + "news/ferry-winter", "en", "en-ferry", "soup", http="utf-8", edits=FERRY_WIRE,
         show="agency story, a few words changed, other template", fate=near("the version with a lead")),
    page(O + "news/boat.htm", "en", "en-ferry", "table98", meta="utf-8", edits=FERRY_OLD,
         show="agency story, new headline, a few words changed", fate=near("the version with a lead")),
    page(N + "news/2025-10-14-ferry", "en", "en-ferry", "upper", http="utf-8", lead=FERRY_LEAD,
         show="agency story with a lead of its own", fate="kept: the longest of four"),
    page("https://blog.twowheels.example/2022/02/clock", "en", "en-clock", "upper", meta="us-ascii", codec="ascii",
         show="chain A≈B≈C: A, the longest of the three", fate="kept: resembles C alone"),
    page(O + "clock/clock.htm", "en", "en-clock", "table98", http="utf-8", edits=CLOCK_B,
         show="chain: B, four phrases changed; resembles both", fate=near("A")),
    page(N + "home/clock-care", "en", "en-clock", "modern", http="utf-8", edits=CLOCK_C,
         show="chain: C, nine phrases changed; like B, but not enough like A",
         fate="dropped: overlap with A"),
    page(O + "rain.htm", "en", "en-rain", "table98", codec="windows-1252", meta="iso-8859-1", lf=True,
         show="HTTP header lines end with LF only", fate=KEPT),
    page(G + "science/kite", "en", "en-kite", "modern", http="utf-8", cut=6000,
         show="WARC-Truncated: length; ends within a paragraph", fate="kept, marked as truncated"),
    page(G + "science/owl", "en", "en-owl", "modern", ctype="application/octet-stream",
         show="content type that says nothing, the body is HTML", fate="kept: recognised as HTML"),
    page(G + "science/ink", "en", "en-ink", "soup", http="utf-8", coding="decoded",
         show="says Content-Encoding: gzip, but the payload is decoded already", fate=KEPT),
    page("https://forum.garden.example/viewtopic.php?t=1181", "en", "forum.html", http="utf-8", triple=True,
         show="forum thread: posts, quotations, signatures", fate="kept, with headings, names and days"),
    page("https://docs.tinytool.test/0.4/conf.html", "en", "docs.html", http="utf-8",
         show="documentation: `<pre>`, `<dl>`, `<code>`", fate="kept, code and definitions too"),
    page(G + "letters/2025-03-12", "en", "letters.html", http="utf-8",
         show="letters page; text in a `<textarea>`", fate="kept: the heading and the sentence below it (letters in containers called comment are taken for comments)"),
    page(G + "science/", "en", "listing.html", http="utf-8", show="teasers and links", fate="dropped: overlap"),
    page(N + "harbour/tides-november", "en", "tables.html", http="utf-8", show="table of figures between two paragraphs",
         fate="kept; the cells too, as short blocks between good ones"),
    page(O + "links.htm", "en", "links.html", show="nearly all links", fate="kept: the headings and the lines of the directory"),
    page(O + "poems/drawer.htm", "en", "poem.html", show="a poem: `<br>` after every line",
         fate="kept"),
    page(N + "photos/118", "en", "short.html", http="utf-8", show="hardly any text", fate="kept: the caption of a picture"),
    page(N + "soon", "en", b"<!DOCTYPE html><html><head><title>Soon</title></head><body></body></html>", http="utf-8",
         show="empty body", fate="dropped: no text"),
    page(N + "blank", "en", b"", http="utf-8", show="payload of no bytes", fate="no page: empty"),
    page("https://docs.tinytool.test/vertical.html", "en", "vertical.html", http="utf-8",
         show="text that looks like vertical markup: `&lt;doc&gt;`, `&lt;/s&gt;`, `&lt;g/&gt;`, tabs, entities of entities",
         fate="kept; nothing of it is markup in the output"),
    page(N + "consent?next=/news/", "en", "consent.html", http="utf-8", show="consent wall written in good prose",
         fate="kept (the cleaner cannot know)"),
    page("https://shop.example.com/boots", "en", "keywords.html", http="utf-8", show="key words without function words",
         fate="kept: nothing in the training was of this kind"),
    page(G + "robots.txt", "en", "robots.txt", ctype="text/plain", show="robots.txt as text/plain",
         fate="dropped: boilerplate"),
    page(O + "knots.txt", "en", "knots.txt", ctype="text/plain", http="us-ascii", show="an article as text/plain", fate=KEPT),
    # German
    page("https://zeitung.example.com/verkehr/quietschen", "de", "de-tram", "modern", http="utf-8", coding="deflate",
         triple=True, show="Content-Encoding: deflate (zlib)", fate=KEPT),
    page("https://imkerei.example/jahr", "de", "de-bienen", "soup", codec="iso-8859-1", meta="iso-8859-1",
         show="iso-8859-1 in meta, no charset in HTTP", fate=KEPT),
    page("https://imkerei.example/jahr;jsessionid=0A1B2C3D", "de", "de-bienen", "soup", codec="iso-8859-1",
         meta="iso-8859-1", canonical="https://imkerei.example/jahr", show="session id; the same bytes as /jahr",
         fate="dropped: exact duplicate"),
    page("http://oldpages.example.net/moor.htm", "de", "de-moor", "table98", codec="windows-1252", meta="windows-1252",
         longline=True, show="the whole page is one line, with a long data: attribute", fate=KEPT),
    page("https://zeitung.example.com/natur/leuchten", "de", "de-leuchten", "modern", http="utf-8", coding="crawler",
         xchunked=True, triple=True, show="X-Crawler-Content-Encoding, X-Crawler-Transfer-Encoding", fate=KEPT),
    page("https://shop.example.com/p/amsel", "de", "product.html", http="utf-8", show="product page",
         fate="kept; description and technical data"),
    page("https://zeitung.example.com/technik/zeichen", "de", "unicode.html", http="utf-8", nfd=True,
         show="soft hyphens, NBSP, zero-width characters, NFD, emoji, ligature", fate="kept, in NFC"),
    # French
    page("https://www.carnets.example/sel", "fr", "fr-sel", "modern", http="utf-8", triple=True,
         show="modern HTML5", fate=KEPT),
    page("https://www.carnets.example/horloge", "fr", "fr-horloge", "soup", http="iso-8859-1", meta="iso-8859-1",
         show="UTF-8 declared as iso-8859-1 in HTTP and in the page", fate="kept; read as UTF-8 (charset_source utf8-override)"),
    page("https://www.carnets.example/cuisine/soupe", "fr", "recette.html", codec="iso-8859-15", http="ISO-8859-15",
         show="recipe in lists; € and œ in iso-8859-15", fate=KEPT),
    # Spanish
    page("https://revista.example.org/aceite", "es", "es-aceite", "modern", bom=b"\xef\xbb\xbf", meta="",
         show="UTF-8 with BOM, nothing declared", fate=KEPT),
    page("https://revista.example.org/mapas", "es", "es-mapas", "soup", codec="windows-1252", http="windows-1252",
         show="windows-1252", fate=KEPT),
    page("https://revista.example.org/semillas/preguntas", "es", "faq.html", http="utf-8",
         show="questions in `<details>`", fate=KEPT),
    # Czech, Slovak
    page(CS + "priroda/jak-zamrza-reka", "cs", "cs-led", "modern", codec="windows-1250", http="windows-1250", meta="",
         triple=True, show="windows-1250 in HTTP only", fate=KEPT),
    page(KN + "texty/houby.html", "cs", "cs-houby", "table98", codec="windows-1250", meta="",
         show="windows-1250, declared nowhere: has to be detected", fate=KEPT),
    page("http://zrcadlo.example.net/knihovna-podlesi/texty/houby.html", "cs", "cs-houby", "table98",
         codec="windows-1250", meta="", mirror="www.knihovna-podlesi.test", show="other host, the same bytes",
         fate="dropped: exact duplicate"),
    page(KN + "historie.html", "cs", "cs-knihovna", "soup", codec="iso-8859-2", meta="iso-8859-2",
         show="iso-8859-2 in meta", fate=KEPT),
    page(CS + "zpravy/most-pres-jivovku", "cs", "cs-most", "modern", http="utf-8", triple=True,
         show="agency story", fate="dropped: near duplicate of the windows-1250 version"),
    page("http://zrcadlo.example.net/zpravy/2025/most.html", "cs", "cs-most", "soup", codec="windows-1250",
         http="windows-1250", meta="windows-1250", edits=BRIDGE, show="agency story, a few words changed, other charset",
         fate="kept: the longer of two"),
    page(CS + "remesla/provaznik", "cs", "cs-provaz", "modern", http="utf-8", coding="raw deflate",
         show="Content-Encoding: deflate without the zlib header", fate=KEPT),
    page(CS + "remesla/dopisy-hodinaru", "cs", "cs-smiseny", "modern", http="utf-8",
         show="Czech with two English quotations", fate="kept, the English paragraphs too"),
    page(CS + "priroda/", "cs", "listing-cs.html", http="utf-8", show="list of links", fate="kept: teasers"),
    page("https://dedina.test/studna", "sk", "sk-studna", "modern", http="utf-8", version="1.1",
         show="WARC/1.1 record", fate=KEPT),
    # Polish, Hungarian, Finnish, Turkish, Vietnamese
    page("http://gazeta.example/latarnik.xhtml", "pl", "pl-latarnik", "xhtml", codec="iso-8859-2",
         ctype="application/xhtml+xml", show="XHTML, charset in `<?xml encoding?>` only", fate=KEPT),
    page("http://gazeta.example/rzeka.html", "pl", "pl-rzeka", "upper", codec="windows-1250", http="Windows-1250",
         meta="windows-1250", show="windows-1250", fate=KEPT),
    page("http://hirek.test/malom.html", "hu", "hu-malom", "soup", codec="windows-1250", http="windows-1250",
         meta="windows-1250", show="windows-1250", fate=KEPT),
    page("http://hirek.test/vonat.html", "hu", "hu-vonat", "upper", codec="utf-16-le", bom=b"\xff\xfe", meta="utf-16",
         show="UTF-16LE with BOM", fate=KEPT),
    page(W + "fi/sauna", "fi", "fi-sauna", "modern", http="utf-8", head=SPACE % (W + "cs/"), show="hreflang links",
         fate=KEPT),
    page(W + "tr/cay", "tr", "tr-cay", "modern", http="utf-8", show="UTF-8", fate=KEPT),
    page(W + "tr/harf", "tr", "tr-harf", "soup", codec="windows-1254", http="windows-1254", meta="windows-1254",
         show="windows-1254", fate=KEPT),
    page(W + "vi/cho", "vi", "vi-cho", "modern", http="utf-8", nfd=True, show="UTF-8, the whole page in NFD", fate=KEPT),
    # Cyrillic, Greek
    page("https://vestnik.test/sneg", "ru", "ru-sneg", "soup", codec="windows-1251", http="windows-1251",
         meta="windows-1251", triple=True, show="windows-1251", fate=KEPT),
    page("http://vestnik.test/budka.htm", "ru", "ru-budka", "table98", codec="koi8-r", meta="koi8-r",
         show="KOI8-R in meta", fate=KEPT),
    page("http://vestnik.test/ryba.htm", "ru", "ru-ryba", "upper", codec="windows-1251", http="win-1251", meta="win-1251",
         show="windows-1251 under the label `win-1251`, which is no label of the standard", fate="kept; the label is understood"),
    page(W + "uk/pich", "uk", "uk-pich", "modern", http="utf-8", show="UTF-8; text without a Latin letter", fate=KEPT),
    page(W + "el/elia", "el", "el-elia", "modern", http="utf-8", show="UTF-8", fate=KEPT),
    page(W + "el/anemos", "el", "el-anemos", "soup", codec="windows-1253", http="windows-1253", meta="windows-1253",
         show="windows-1253", fate=KEPT),
    # Arabic, Hebrew, Hindi, Thai
    page(W + "ar/bir", "ar", "ar-bir", "modern", http="utf-8", triple=True, show="UTF-8, right to left", fate=KEPT),
    page(W + "ar/khat", "ar", "ar-khat", "soup", codec="windows-1256", http="windows-1256", meta="windows-1256",
         show="windows-1256", fate=KEPT),
    page(W + "he/shaon", "he", "he-shaon", "modern", http="utf-8", show="UTF-8, right to left", fate=KEPT),
    page(W + "hi/patang", "hi", "hi-patang", "modern", http="utf-8", show="UTF-8", fate=KEPT),
    page(W + "th/talat", "th", "th-talat", "soup", http="utf-8", show="words without spaces", fate=KEPT),
    # Chinese, Japanese, Korean
    page("https://laojie.test/qiao.html", "zh", "zh-qiao", "modern", http="utf-8", triple=True,
         show="simplified, UTF-8", fate=KEPT),
    page("http://laojie.test/zhuo.html", "zh", "zh-cha", "soup", codec="gbk", http="gb2312", meta="gb2312",
         show="simplified, GBK declared as gb2312", fate=KEPT),
    page("http://laojie.test/tw/denglong.html", "zh", "zh-deng", "table98", ui="zh-Hant", codec="big5", meta="big5",
         show="traditional, Big5", fate=KEPT),
    page("http://machi.example/yuubin.html", "ja", "ja-yuubin", "soup", codec="shift_jis", http="Shift_JIS",
         meta="Shift_JIS", show="Shift_JIS", fate=KEPT),
    page("http://machi.example/toufu.html", "ja", "ja-toufu", "table98", codec="euc-jp", meta="EUC-JP",
         show="EUC-JP in meta", fate=KEPT),
    page("https://machi.example/hoshi", "ja", "ja-hoshi", "modern", http="utf-8", show="UTF-8", fate=KEPT),
    page("http://maeul.example/ondol.html", "ko", "ko-ondol", "soup", codec="euc-kr", http="euc-kr", meta="euc-kr",
         show="EUC-KR", fate=KEPT),
    page("https://maeul.example/jadu", "ko", "ko-jadu", "modern", http="utf-8", show="UTF-8", fate=KEPT),
    # what is no page
    page(G + "lighthouse", "-", b"", status="301 Moved Permanently", headers=["Location: /science/lighthouse-lens"],
         show="redirect", fate="no page: status"),
    page(G + "science/lighthose", "en", "e404.html", status="404 Not Found", http="utf-8",
         show="not found, with a page", fate="no page: status"),
    page(H + "search?q=tide", "en", "e500.html", status="500 Internal Server Error", http="utf-8",
         show="server error, with a page", fate="no page: status"),
    page(N + "small.pdf", "-", pdf(), ctype="application/pdf", identified="application/pdf", show="PDF",
         fate="no page: content type"),
    page(N + "pixel.png", "-", PNG, ctype="image/png", identified="image/png", show="image", fate="no page: content type"),
    page(N + "firmware.html", "-", BINARY, http="utf-8", show="text/html that is binary, with NULs",
         fate="rejected: binary"),
    page(O + "ancient.htm", "en", b"<HTML><BODY><P>This answer came from a server that knew no header at all, and "
         b"it begins with the page. A crawler that stored it as it was has made a record that is not in order, "
         b"and a reader that insists on the rules will not see it. We have seen such records in every large crawl, and "
         b"most of them are from machines that somebody forgot under a desk.</BODY></HTML>\n",
         no_status=True, show="response without an HTTP status line", fate="kept: read as a page without headers"),
]


def wet_text():
    article = Article("en-rain")
    return "\n".join([article.title, ""] + ["In this file the cleaning has been done by somebody else, and the text is taken as "
                      "it is, one paragraph for each line, whether it is long or short."] +
                     ["The rain fell on the roof of the archive all night, and in the morning the keeper found that not a "
                      "single box was wet; the cat, who had been outside, was of another opinion.", ""]).encode()


def build():
    w = Writer()
    info = w.info("web.warc.gz")
    others = []
    w.record("response", b"20251101040000\nwww.lantern-gazette.example.\t300\tIN\tA\t192.0.2.17\n", "text/dns",
             "dns:www.lantern-gazette.example", extra=[("WARC-Warcinfo-ID", info)])
    others.append(("response", "dns:www.lantern-gazette.example", "DNS answer, text/dns", "no page: content type"))
    for p in PLAN:
        if "mirror" in p:
            SITES[p["url"].split("/")[2]], keep = SITES[p["mirror"]], SITES[p["url"].split("/")[2]]
        w.capture(p, info)
        if "mirror" in p:
            SITES[p["url"].split("/")[2]] = keep

    url = G + "science/bread"
    bread = next(p for p in PLAN if p["url"] == url)
    head, payload = http_response(bread)
    w.record("revisit", head, "application/http; msgtype=response", url, payload,
             [("WARC-Profile", "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"),
              ("WARC-Refers-To-Target-URI", url), ("WARC-Refers-To-Date", w.captured[url])])
    others.append(("revisit", url, "the page has not changed since", "no page: record type"))
    css = b"body { font: 18px/1.5 serif }\n"
    w.record("resource", css, "text/css", G + "css/screen.css", css)
    others.append(("resource", G + "css/screen.css", "style sheet stored without HTTP", "no page: record type"))
    text = wet_text()
    w.record("conversion", text, "text/plain", N + "archive/rain", text,
             [("WARC-Identified-Content-Language", "eng")])
    others.append(("conversion", N + "archive/rain", "extracted text, as in a WET file", "kept, every line, no cleaner is applied"))
    return w, others


def damaged():
    """A dozen records of web.warc.gz with three kinds of damage."""
    w = Writer()
    info = w.info("damaged.warc.gz")
    names = ["en-bicycle", "en-library", "de-tram", "de-bienen", "fr-sel", "es-mapas", "cs-led", "cs-provaz", "pl-rzeka",
             "ru-sneg", "ja-hoshi"]
    for name in names:
        w.capture(dict(next(p for p in PLAN if p["source"] == name), triple=False), info)
    parts = list(w.members)
    garbage = hashlib.sha512(b"garbage").digest() * 5 + b"\x1f\x8b" + b"WARC/1.0\r\nnot a record\r\n"
    parts[3] += garbage
    seven = bytearray(parts[6])
    for i in range(len(seven) // 2, len(seven) // 2 + 24):
        seven[i] ^= 0xA5
    parts[6] = bytes(seven)
    parts[-1] = parts[-1][:len(parts[-1]) // 2]
    return b"".join(parts)


# ---------------------------------------------------------------- check

def members(data):
    at = 0
    while at < len(data):
        z = zlib.decompressobj(31)
        out = z.decompress(data[at:])
        assert z.eof, f"member at {at} is not complete"
        yield at, out
        at = len(data) - len(z.unused_data)


def check():
    with open(os.path.join(HERE, "web.warc.gz"), "rb") as f:
        data = f.read()
    count, types, ids = 0, {}, set()
    for at, raw in members(data):
        head, rest = raw.split(b"\r\n\r\n", 1)
        lines = head.decode().split("\r\n")
        assert lines[0] in ("WARC/1.0", "WARC/1.1"), at
        fields = dict(line.split(": ", 1) for line in lines[1:])
        n = int(fields["Content-Length"])
        block = rest[:n]
        assert len(block) == n and rest[n:] == b"\r\n\r\n", f"length at {at}"
        assert fields["WARC-Record-ID"] not in ids
        ids.add(fields["WARC-Record-ID"])
        assert fields["WARC-Block-Digest"] == sha1(block), f"block digest at {at}"
        kind = fields["WARC-Type"]
        if "WARC-Payload-Digest" in fields and kind != "revisit":
            payload = block
            if fields["Content-Type"].startswith("application/http") and block.startswith(b"HTTP/"):
                payload = re.split(rb"\r?\n\r?\n", block, maxsplit=1)[1]
            assert fields["WARC-Payload-Digest"] == sha1(payload), f"payload digest at {at}"
        count += 1
        types[kind] = types.get(kind, 0) + 1
    w, _ = build()
    assert data == w.bytes(), "web.warc.gz is not what make.py writes"
    with open(os.path.join(HERE, "damaged.warc.gz"), "rb") as f:
        assert f.read() == damaged(), "damaged.warc.gz is not what make.py writes"
    print(f"web.warc.gz: {count} records in {count} members, in order:", types)


def table(others):
    rows = ["| Address | Language | Charset | Shows | Expected |", "|---|---|---|---|---|"]
    for p in PLAN:
        charset = p["codec"].replace("shift_jis", "Shift_JIS") if isinstance(p["source"], str) else "-"
        rows.append(f"| {p['url']} | {ISO3.get(p['lang'], '-')} | {charset} | {p['show']} | {p['fate']} |")
    for kind, url, show, fate in others:
        rows.append(f"| {url} ({kind}) | {'eng' if kind == 'conversion' else '-'} | - | {show} | {fate} |")
    return "\n".join(rows)


def main():
    if sys.argv[1:] == ["--check"]:
        return check()
    w, others = build()
    for name, data in (("web.warc.gz", w.bytes()), ("damaged.warc.gz", damaged())):
        with open(os.path.join(HERE, name), "wb") as f:
            f.write(data)
        print(name, len(data), "bytes")
    print(w.types, sum(w.types.values()), "records;", len(PLAN), "HTTP responses")
    languages = {}
    for p in PLAN:
        languages[p["lang"]] = languages.get(p["lang"], 0) + 1
    print(languages)
    path = os.path.join(HERE, "README.md")
    if os.path.exists(path):
        text = read("README.md")
        text = re.sub(r"(<!-- table -->\n).*(<!-- end -->)", lambda m: m[1] + table(others) + "\n" + m[2], text, flags=re.S)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)


if __name__ == "__main__":
    main()
