"""The page templates of the sample archive.

Each template takes an article, the words of the page furniture in the
article's language, the site and the address, and returns a page as text.
"""
from html import escape as esc
import json

RTL = {"ar", "he"}


def words(ui, key):
    return [w.strip() for w in ui[key].split(" | ")]


def slug(i, n=0):
    return ("start news weather sport culture science travel letters shop login "
            "walks heron string cloud about contact terms privacy newsletter").split()[i + n]


def blocks(art, p="<p>%s</p>\n", h="<h2>%s</h2>\n", q=None):
    out = ""
    for kind, text in art.blocks:
        if kind == "h":
            out += h % esc(text, False)
        elif kind == "q":
            out += (q or "<blockquote><p>%s</p></blockquote>\n") % esc(text, False)
        else:
            out += p % esc(text, False)
    return out


def links(items, base, fmt='<li><a href="%s">%s</a></li>\n', n=0):
    return "".join(fmt % (base + slug(i, n) + "/", esc(w, False)) for i, w in enumerate(items))


def modern(art, ui, site, url, lang, charset="utf-8", head="", body=None):
    """HTML5 as a newspaper would serve it today."""
    base = url.split("/", 3)
    base = "/".join(base[:3]) + "/"
    ld = json.dumps({"@context": "https://schema.org", "@type": "NewsArticle", "headline": art.title,
                     "datePublished": art.date, "author": {"@type": "Person", "name": art.author},
                     "publisher": {"@type": "Organization", "name": site}}, ensure_ascii=False)
    teasers = words(ui, "teasers")
    rel = words(ui, "related")
    first = next((t for k, t in art.blocks if k == "p"), "")
    return f"""<!DOCTYPE html>
<html lang="{lang}"{' dir="rtl"' if lang in RTL else ''}>
<head>
{f'<meta charset="{charset}">' if charset else ''}
<title>{esc(art.title, False)} | {esc(site)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="index,follow,max-image-preview:large">
<meta name="author" content="{esc(art.author)}">
<meta name="description" content="{esc(first[:110])}…">
<meta property="og:type" content="article">
<meta property="og:title" content="{esc(art.title)}">
<meta property="og:url" content="{esc(url)}">
<meta property="article:published_time" content="{art.date}T06:00:00+00:00">
<link rel="canonical" href="{esc(url)}">
{head}<style>
body{{font:18px/1.5 Georgia,serif;margin:0}} .nav li{{display:inline;padding:0 .5em}}
.cookie{{position:fixed;bottom:0;background:#222;color:#fff}} aside{{float:right;width:20em}}
</style>
<script type="application/ld+json">{ld}</script>
<script>
(function(w,d){{w.dataLayer=w.dataLayer||[];if(w.innerWidth<600&&!d.cookie){{d.documentElement.className+=" small";}}
document.write("<p>This line is written by a script and is not part of the page.</p>");}})(window,document);
</script>
</head>
<body>
<!-- a comment <p>with a paragraph inside, which nobody should see</p> -->
<div class="cookie" role="dialog"><p>{ui['cookie']}</p>{''.join(f'<button>{w}</button> ' for w in words(ui, 'ok'))}</div>
<header>
<a class="logo" href="{base}">{esc(site)}</a>
<nav class="nav"><ul>
{links(words(ui, 'nav'), base)}</ul></nav>
<form action="/search"><input name="q" placeholder="…"><select name="s"><option>1</option><option>2</option></select></form>
</header>
<nav class="crumbs"><a href="{base}">{words(ui, 'nav')[0]}</a> › <a href="{base}science/">{words(ui, 'nav')[5]}</a> › <span>{esc(art.title, False)}</span></nav>
<main>
<article>
<h1>{esc(art.title, False)}</h1>
<p class="meta">{ui['by']} <a rel="author" href="{base}authors/">{esc(art.author)}</a> · <time datetime="{art.date}T06:00:00Z">{art.date}</time></p>
{f'<div class="share">{"".join(f"<a href=#>{w}</a> " for w in words(ui, "share"))}</div>'}
{body if body is not None else blocks(art)}</article>
<aside><h3>{rel[0]}</h3><ul>
{links(teasers, base, n=10)}</ul>
<h3>{rel[1]}</h3><ol>
{links(teasers[::-1], base + 'top/')}</ol></aside>
<section id="comments"><h3>{ui['chead']} (2)</h3>
{''.join(f'<div class="comment"><b>user{i}</b><p>{esc(c, False)}</p></div>' for i, c in enumerate(words(ui, 'comments'), 7))}
</section>
</main>
<footer><ul>{links(words(ui, 'foot'), base, n=14)}</ul><p>© 2025 {esc(site)}. {ui['copy']}</p></footer>
<noscript><img src="/pixel.gif" alt=""></noscript>
<script src="/js/app.9f2c.js" defer></script>
</body>
</html>
"""


def soup(art, ui, site, url, lang, charset="utf-8", head="", body=None):
    """Nested divs of about 2010, XHTML doctype, meta http-equiv."""
    base = "/".join(url.split("/", 3)[:3]) + "/"
    nav = words(ui, "nav")
    meta = f'<meta http-equiv="Content-Type" content="text/html; charset={charset}" />\n' if charset else ""
    return f"""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml" lang="{lang}"{' dir="rtl"' if lang in RTL else ''}>
<head>
{meta}<title>{esc(site)} - {esc(art.title, False)}</title>
<link rel="stylesheet" type="text/css" href="/css/screen.css" />
{head}<script type="text/javascript">
//<![CDATA[
var page = {{"id": 4711, "cat": "<b>news</b>"}}; function popup(u) {{ window.open(u, 'w', 'width=400'); }}
//]]>
</script>
</head>
<body class="two-col">
<div id="wrap"><div id="wrap-inner">
<div id="top"><div class="logo"><a href="{base}">{esc(site)}</a></div>
<div id="menu"><ul>
{links(nav, base)}</ul></div></div>
<div id="path"><a href="{base}">{nav[0]}</a> &raquo; <a href="{base}culture/">{nav[4]}</a> &raquo; {esc(art.title, False)}</div>
<div id="columns">
<div id="left"><div class="box"><div class="box-head">{words(ui, 'related')[1]}</div><div class="box-body"><ul>
{links(words(ui, 'teasers'), base, n=10)}</ul></div></div>
<div class="box"><div class="box-head">{nav[8]}</div><div class="box-body">{''.join(f'<a href="{base}shop/{i}">{w}</a> | ' for i, w in enumerate(nav[1:7]))}</div></div></div>
<div id="content"><div class="post" id="post-4711">
<h2 class="title">{esc(art.title, False)}</h2>
<div class="info"><span class="date">{art.date}</span> <span class="author">{esc(art.author)}</span></div>
<div class="entry">
{body if body is not None else blocks(art, p='<div class="par">%s</div>' + chr(10), h='<div class="sub"><strong>%s</strong></div>' + chr(10))}</div>
<div class="tools">{' | '.join(f'<a href="#">{w}</a>' for w in words(ui, 'share'))}</div>
</div>
<div class="comments"><h3>{ui['chead']}</h3><ol>{''.join(f'<li><div class="c-body">{esc(c, False)}</div></li>' for c in words(ui, 'comments'))}</ol></div>
</div></div>
<div id="foot">{' | '.join(f'<a href="{base}{slug(i, 14)}/">{w}</a>' for i, w in enumerate(words(ui, 'foot')))}<br />&copy; 2011&#8211;2025 {esc(site)}</div>
</div></div>
</body>
</html>
"""


def table98(art, ui, site, url, lang, charset=None, head="", body=None):
    """A home page of 1998: tables, <font>, paragraphs made of <br><br>."""
    nav = words(ui, "nav")
    meta = f'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset={charset}">\n' if charset else ""
    text = body if body is not None else blocks(
        art, p="%s\n<br><br>\n", h='<font size="+1"><b>%s</b></font><br><br>\n', q="<i>%s</i>\n<br><br>\n")
    return f"""<HTML>
<HEAD>
{meta}<TITLE>{esc(art.title, False)}</TITLE>
{head}</HEAD>
<BODY BGCOLOR="#FFFFE0" TEXT=black LINK=blue>
<CENTER><FONT SIZE=6 COLOR=maroon>{esc(site)}</FONT></CENTER>
<HR>
<TABLE WIDTH="100%" BORDER=0 CELLPADDING=4>
<TR>
<TD WIDTH=150 VALIGN=top BGCOLOR="#DDDDFF">
<FONT SIZE=2>
{''.join(f'<A HREF="{slug(i)}.htm">{w}</A><BR>' + chr(10) for i, w in enumerate(nav))}</FONT>
</TD>
<TD VALIGN=top>
<FONT FACE="Arial,Helvetica" SIZE=3>
<B>{esc(art.title, False)}</B>
<br><br>
{text}</FONT>
<HR NOSHADE>
<FONT SIZE=1>{esc(art.author)}, {art.date} &nbsp; [ <A HREF="index.htm">{nav[0]}</A> | <A HREF="letters.htm">{nav[7]}</A> ]</FONT>
</TD></TR></TABLE>
</BODY>
</HTML>
"""


def upper(art, ui, site, url, lang, charset="utf-8", head="", body=None):
    """Upper-case tags, <P> and <LI> never closed, attributes without quotes."""
    meta = f"<META CHARSET={charset}>\n" if charset else ""
    text = body if body is not None else blocks(art, p="<P>%s\n", h="<H3>%s</H3>\n", q="<BLOCKQUOTE><P>%s</BLOCKQUOTE>\n")
    return f"""<!doctype html>
<HTML LANG={lang}>
<HEAD>
{meta}<TITLE>{esc(art.title, False)}</TITLE>
{head}<BODY>
<UL CLASS=menu>
{''.join(f'<LI><A HREF=/{slug(i)}/>{w}</A>' + chr(10) for i, w in enumerate(words(ui, 'nav')))}</UL>
<H1>{esc(art.title, False)}</H1>
<P><SMALL>{esc(art.author)}, {art.date}</SMALL>
{text}<HR>
<P>{ui['copy']}
<UL>
{''.join(f'<LI><A HREF=/{slug(i, 10)}/>{w}</A>' + chr(10) for i, w in enumerate(words(ui, 'teasers')))}</UL>
"""


def xhtml(art, ui, site, url, lang, charset="iso-8859-2", head="", body=None):
    """XHTML whose encoding is named by the XML declaration only."""
    page = soup(art, ui, site, url, lang, charset=None, head=head, body=body)
    return f'<?xml version="1.0" encoding="{charset}"?>\n' + page


def printed(art, ui, site, url, lang, charset="utf-8", head="", body=None):
    """A bare print view: nothing but the text."""
    return (f'<!DOCTYPE html><html lang="{lang}"><head><meta charset="{charset}"><title>{esc(art.title, False)}</title>'
            f'<meta name="robots" content="noindex"></head><body><h1>{esc(art.title, False)}</h1>\n'
            + blocks(art) + f"<p><small>{esc(url)}</small></p></body></html>\n")


ALL = {f.__name__: f for f in (modern, soup, table98, upper, xhtml, printed)}
