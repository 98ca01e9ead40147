#!/usr/bin/env python3
"""Makes the word lists of src/text/segments/words_of from freely licensed dictionaries of PyPI.

    pip install numpy unidic-lite jieba pythainlp
    make_word_lists.py OUT [jpn] [zho] [tha]

jpn  UniDic (unidic-lite; BSD): words by cost, the connection matrix averaged over clusters of its classes.
zho  jieba's dictionary (MIT): word frequencies; words that the treebanks cut are replaced by their parts.
tha  PyThaiNLP's word list and frequencies (CC0): the same.
No treebank text is read: what is cut follows from the lists below.
"""
import collections
import math
import os
import re
import struct
import sys


def write(path, head, entries):
    ordered = sorted(entries.items(), key=lambda entry: entry[0].encode())
    lines = (w + "\t" + " ".join("%d %d %d" % e for e in es) for w, es in ordered)
    with open(path, "w", encoding="utf-8", newline="\n") as f:
        f.write(head + "\n".join(lines) + "\n")
    print(path, len(entries), os.path.getsize(path))


# ---------------------------------------------------------------- Japanese

CLASSES = 384  # clusters of UniDic's 5981 connection classes
UNIT = 32  # costs are divided by this
LIMITS = {"name": 4500, "katakana": 4500, "noun": 7550, "inflected": 10400}  # dearest words kept
JAPANESE = re.compile("^[\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fff]+$")
KATAKANA = re.compile("^[\u30a1-\u30ff]+$")


def unidic():
    """(surface, left class, right class, cost, features) of each entry, and cost[left class][right class]."""
    import numpy as np
    import unidic_lite
    raw = open(os.path.join(unidic_lite.DICDIR, "sys.dic"), "rb").read()
    darts_size, token_size = struct.unpack("<2I", raw[24:32])
    darts = np.frombuffer(raw, dtype="<i4", count=darts_size // 4, offset=72).reshape(-1, 2).astype(np.int64)
    token_type = np.dtype([("l", "<u2"), ("r", "<u2"), ("p", "<u2"), ("c", "<i2"), ("f", "<u4"), ("x", "<u4")])
    tokens = np.frombuffer(raw, dtype=token_type, count=token_size // 16, offset=72 + darts_size)
    features = raw[72 + darts_size + token_size:]
    base, check = darts[:, 0], darts[:, 1]
    used = np.nonzero(check)[0]
    owner = np.full(int(max(base.max(), check.max())) + 2, -1, dtype=np.int64)
    owner[base[used[base[used] > 0]]] = used[base[used] > 0]
    owner[base[0]] = 0
    parent, label = np.full(len(base), -1, dtype=np.int64), np.full(len(base), -2, dtype=np.int64)
    parent[used], label[used] = owner[check[used]], used - check[used] - 1
    parents, labels, entries = parent.tolist(), label.tolist(), []
    for leaf in used[(base[used] < 0) & (label[used] == -1)].tolist():
        node, letters = parents[leaf], []
        while node > 0:
            letters.append(labels[node])
            node = parents[node]
        word, value = bytes(letters[::-1]).decode(), -int(base[leaf]) - 1
        for t in tokens[value >> 8:(value >> 8) + (value & 255)]:
            f = features[t["f"]:features.index(b"\0", int(t["f"]))].decode().split(",")
            if JAPANESE.match(word) and "文語" not in f[4] and f[0] not in ("補助記号", "空白", "記号"):
                entries.append((word, int(t["l"]), int(t["r"]), int(t["c"]), f))
    matrix = np.fromfile(os.path.join(unidic_lite.DICDIR, "matrix.bin"), dtype="<i2")
    return entries, matrix[2:].reshape(-1, matrix[0]).astype(np.float32)


def usage(entries, matrix):
    """How often each class would be met in text that the model itself makes: a stationary distribution."""
    import numpy as np
    weight = np.zeros(len(matrix))
    weight[0] = 1e-3
    for w, l, r, c, f in entries:
        if not KATAKANA.match(w) and f[1] not in ("固有名詞", "数詞"):
            weight[l] += math.exp(-c / 700)
    step = np.exp(-(matrix + 2000) / 700) * weight[:, None]
    step /= step.sum(0, keepdims=True)
    share = np.ones(len(matrix)) / len(matrix)
    for _ in range(30):
        share = step @ share
        share /= share.sum()
    return share


def clusters(points, weight):
    """k-means, started from the weightiest points."""
    import numpy as np
    centres = points[np.argsort(-weight)[:CLASSES]].copy()
    for _ in range(12):
        distance = (points**2).sum(1)[:, None] - 2 * points @ centres.T + (centres**2).sum(1)[None]
        nearest = distance.argmin(1)
        for k in range(CLASSES):
            mine = nearest == k
            if mine.any():
                w = weight[mine] + 1e-12
                centres[k] = (points[mine] * w[:, None]).sum(0) / w.sum()
    return nearest


def keeps(word, cost, f):
    if len(word) > 6 or KATAKANA.match(word) and f[0] in ("動詞", "形容詞", "副詞"):
        return False
    if len(word) == 1 and f[0] != "動詞" and f[1] != "固有名詞":
        return True
    kind = ("name" if f[1] == "固有名詞" else "katakana" if KATAKANA.match(word) else "noun" if f[0] == "名詞"
            else "inflected" if f[0] in ("動詞", "形容詞") else None)
    return kind is None or cost < LIMITS[kind]


def japanese(path):
    import numpy as np
    entries, matrix = unidic()
    share = usage(entries, matrix)
    top = np.argsort(-share)[:700]
    scale, weight = np.sqrt(share[top] + 1e-6).astype(np.float32), share**0.35 + 1e-9
    left, right = clusters(matrix[:, top] * scale, weight), clusters(matrix.T[:, top] * scale, weight)
    rows, columns = np.zeros((2, CLASSES, len(matrix)), dtype=np.float32)
    rows[left, np.arange(len(matrix))] = share + 1e-7
    columns[right, np.arange(len(matrix))] = share + 1e-7
    costs = rows @ matrix @ columns.T / np.maximum(rows.sum(1)[:, None] * columns.sum(1)[None], 1e-30)
    words, names = collections.defaultdict(dict), collections.Counter()
    for w, l, r, c, f in entries:
        key = (int(left[l]), int(right[r]))
        names[key] += f[:3] == ["名詞", "固有名詞", "一般"]
        if keeps(w, c, f):
            words[w][key] = min(c, words[w].get(key, 99999))
    unknown = "%d %d" % names.most_common(1)[0][0]
    unit = lambda cost: round(cost / UNIT)
    rows = np.round(costs / UNIT).astype(int).tolist()
    head = f"classes {CLASSES}\n" + "".join(" ".join(map(str, row)) + "\n" for row in rows)
    head += f"ends {left[0]} {right[0]}\nideographs {unknown} {unit(10000)} {unit(11000)}\n"
    head += f"other {unit(9000)} {unit(200)} {unit(15000)}\n\n"
    write(path, head, {w: [(*key, unit(c)) for key, c in sorted(es.items())] for w, es in words.items()})


# ---------------------------------------------------------------- Chinese

def letters(text):
    return set(text) - set(" \n")


# Characters of foreign names.
NAMES = letters("""
    丁丽乌乔亚什伊伦伯佐佛佩克兰兹冈凯切列利加努劳勒包卓博卡卢古史叶吉哈哥喀图圣坎坦埃基堡塔塞多夫奇奈奎
    奥妮妲姆威娃娅娜宾尔尤尼岛巴布希帕库廷弗彻彼德恩戈戴扎托拉摩斯施昆普曼朗杜杰林柏柯根格桑梅森比汤沃沙
    波泽洛浩涅温滕潘特狄玛玻珀珊理琪琳瑞瑟瓦甫申登福科穆米索约纳纽维罕罗翰耶肯舍艾芬苏茨茹莉莎莫莱菲萨葛
    蒂蒙蕾薇西詹诺谢贝费贾赛赫达迈迪逊里阿隆雅雷霍露韦顿马鲁鲍麦默
""")
# Numerals and pronouns that stand before a measure word, and measure words.
NUMERALS = letters("""
    一七万三两九二五亿八六几十千半各哪四多数本某此每百第该这那零
""")
MEASURES = letters("""
    个些人代件份位侧元双句只台号名周回场块大天套家对层届岁年度座张所批支方日月期本条架样次段片种站章篇粒
    级线组群者艘辆辑边部里间队集项颗首
""")
# Nouns of one character behind another noun: kinds of things, places, offices, people.
SUFFIXES = letters("""
    上下业中书人令仪价任会体债值像党兵典兽内军刊制券剂前剧力务包化区单卡厂厅县口史号后员品器团园国图场型
    城堂塔墓墙士处外奖委学室宫家寺局层山岛州币市布师带店庙府度式弹录役心志性情感战所手报据教数文族时星曲
    期木本机权村条杯板枪树案桥楼欲款歌段殿民气水河油法流港湖源灯炉炮点照片版物率球瓶生画界病症盘省石码碑
    社票科程税窗站章端管箱类粉糖系素约级纸线组网署者股舰船色花茶草药虫街表袋观角论证词诗语说谱责费资赛路
    车轨边道郡部酒酸里量金钟锅镇镜长门间队院陵集面额馆鱼鸟
""")
PREFIXES = letters("""
    上下东低全前副北半单南原双反古各后多大小少总新旧本某此每第老西该超非首高
""")
SURNAMES = letters("""
    丁万东严乐乔习于云仇仰仲任伊伍伏何余侯俞倪傅储元充党全关冀冉农冯凌凤刁刘利劳包匡华卓单卜卞卢卫印危厉
    古台史叶司吉向吕吴周和咸唐喻国堵夏奚姚姜姬娄孔孙孟季宁安宋宓宗宣宫宰容宿寇富寿封尚尤尹居屈屠山岑崔左
    巩巴师席常干平幸广庄应庞康廉廖弘张强彭徐怀慎慕戈成戚戴房扈扶支文方施时昌明易晏景曲曹朱李杜束杨杭松林
    柏柯柳柴栾桂桑梁梅樊欧步武段殷毕毛水江池汤汪沈洪浦温湛滕满潘焦熊燕牛牧狄王班甄甘田申白皮盛瞿石祁祖祝
    禄禹秦程穆窦章童符管籍米索纪终缪罗翁翟耿聂胡臧舒艾花苏苗范茅茹荀荆荣莫萧葛董蒋蒙蒲蓝蓬蔡蔺薄薛虞衡袁
    裘裴褚解詹计许诸谈谢谭谷贝贡费贺贾赖赵路车边连逄通邓邢邬邱邴邵邹郁郎郑郝郭都鄂金钟钱闵闻阎阮阴陆陈陶
    隗雍雷霍靳韦韩项顾颜马骆高魏鱼鲁鲍麻黄黎齐龙龚
""")
# Function words: they are no part of words that are not listed.
ALONE = letters("""
    一七三上下不与个中为之九也了二于五从他以们会但你使做入八六其内再出到前十去又及只叫可各后向和四在地外
    她它对将就已年很得想我或所才把日时是更曾最月有来此每用由的着等给而能被要让该说起过还这那都里
""")
# Words that the patterns would cut.
WHOLE = set("""
    一下子 一些 一切 一同 一向 一定 一旦 一时 一样 一直 一系列 一致 一般 一起 一边 万一 不是 两岸
    中国 为什么 乃至 之上 之下 之中 之内 之前 之后 之外 之间 也是 予以 于是 互联网 享有 以为 以及
    以至 以色列 伊斯兰 似的 但是 便是 俄国 俄罗斯 俱乐部 全国 关于 具有 凡是 出版社 则是 加以 加拿大
    十分 十字 千万 半岛 占有 受到 只有 可以 可是 各国 各种 各自 含有 哪里 因为 国有 外国 多样 多级
    多边 大于 存在 完成 富有 对于 就是 巧克力 差不多 帝国 幼儿园 形成 得以 得到 德国 怎么样 怎样
    总是 意大利 感到 我国 或是 所以 所有 拥有 数字 新加坡 本人 本土 本地 本来 本站 本质 本身 构成
    某些 每天 每年 每日 每次 没有 法国 泰国 派出所 独自 王国 现在 甚至 由于 百姓 百度 目的 直到
    直至 祖国 私有 稀有 等于 组成 终于 美国 老百姓 而是 至于 英国 葡萄牙 行为 西班牙 要是 认为 设有
    赞成 达到 达成 还是 这些 这样 这种 这里 造成 遭到 那些 那样 那种 那里 都是 阿根廷 难以 韩国
    首先 首次
""".split())
# Words that they would leave whole.
CUT = set("""
    不了 不再 不可 不得 不用 不能 不要 东欧 中文 为主 也不 也有 北欧 华东 华中 华人 华北 华南 单边
    南欧 及其 双方 因此 国立 并不 德文 日文 早在 最大 最早 最高 有人 来说 欧元 正在 法文 自此 英文
    西欧 还会 还有 除了 随着
""".split())
JOINED = "也是 都是 则是 最大 最高 最多 更多 而非 最小 最低 最早".split()
# Adverbs of degree and words such as "this" and "each" are one word with an adjective, noun or measure word of one
# character, and verbs of one character are one with their complement. Costs as those of words.
HEADS_OF_PAIRS = (1400, "较极很最更本各该每")
TAILS_OF_PAIRS = (1500, "到成入出进上下中得")
# Traditional characters: their text is left to ICU.
FOREIGN = "們國學會這個來說時從對為後過還進種經開關發長門問間東車馬書話見現實樣點將無與業產應當總動"


def chinese_parts(w, tag, words):
    """The parts of a word that is none in the treebanks, or None."""
    if w in WHOLE or tag == "i":
        return None
    known = lambda part, least: words.get(part, (0,))[0] >= least
    if len(w) == 2:
        verb = w[1] == "为" and tag.startswith("v") or w[1] == "于" and tag.startswith(("v", "p"))
        measure = (w[0] in NUMERALS or w[0] in "这那哪每各某该此两多") and w[1] in MEASURES
        cut = measure or verb or w[0] == "之" or w in CUT
        return [w[0], w[1]] if cut and not tag.startswith("nr") else None
    if tag.startswith("nr"):
        given = len(w) == 3 and tag != "nrt" and w[0] in SURNAMES and not set(w[1:]) <= NAMES
        return [w[0], w[1:]] if given else None
    if len(w) == 3:
        if tag == "m" and w[0] in NUMERALS and w[1:] in words:
            return [w[0], w[1:]]
        if w[2] in SUFFIXES:
            return [w[:2], w[2]]
        return [w[0], w[1:]] if w[0] in PREFIXES and known(w[1:], 20) else None
    if len(w) == 4:
        if tag == "l" or tag.startswith(("n", "v", "j")):
            if known(w[:2], 10) and known(w[2:], 10):
                return [w[:2], w[2:]]
            if w[3] in SUFFIXES and w[:3] in words:
                return [w[:3], w[3]]
        return None
    cuts = [(min(words[w[:i]][0], words[w[i:]][0]), -i)
            for i in range(2, len(w)) if known(w[:i], 3) and known(w[i:], 3)]
    return [w[:-max(cuts)[1]], w[-max(cuts)[1]:]] if cuts else None


def taken_apart(counts, parts):
    """Gives the counts of words to their parts, until no word is left that has parts."""
    for _ in range(5):
        for w in [w for w in counts if w in parts]:
            count = counts.pop(w)
            for part in parts[w]:
                counts[part] += count
    return counts


def chinese(path):
    import jieba
    words = {}
    for line in open(os.path.join(jieba.__path__[0], "dict.txt"), encoding="utf-8"):
        word, count, tag = (line.split() + [""])[:3]
        words[word] = (int(count), tag)
    parts = {w: p for w, (_, tag) in words.items() if len(w) > 1 and (p := chinese_parts(w, tag, words))}
    counts = taken_apart(collections.Counter({w: max(count, 1) for w, (count, _) in words.items()}), parts)
    for w in JOINED:
        counts[w] = max(counts[w], int(min(counts[w[0]], counts[w[1]]) * 0.05), 500)
    total = math.log(sum(counts.values()))
    entries = {w: [(0, 0, round((total - math.log(c)) * 100))] for w, c in counts.items()
               if (c >= 6 or len(w) == 1) and all("\u3400" <= char <= "\u9fff" for char in w)}
    head = f"classes 1\n0\nends 0 0\nideographs 0 0 {round((total + 2) * 100)} 1800\nother 2000 200 2600\n"
    head += f"numerals 1500 〇零一二三四五六七八九十百千万亿\n"
    head += f"names 1000 260 {''.join(sorted(NAMES))}\nheads {' '.join(map(str, HEADS_OF_PAIRS))}\n"
    head += f"tails {' '.join(map(str, TAILS_OF_PAIRS))}\nalone {''.join(sorted(ALONE))}\nforeign {FOREIGN}\n\n"
    write(path, head, entries)


# ---------------------------------------------------------------- Thai

# Words of two letters that may be a part of another.
SHORT = set("มา ไป จะ ใน ใจ ณ แล ดู ตา มี ดี ปี ฯ ๆ เอา เธอ ผล ทำ คน ตัว นำ รู้ หา พา ลง".split())
# Function words: a word that begins or ends with one is two.
LINKS = set("""กับ จาก เป็น นี้ นั้น โน้น ว่า จะ กว่า ถึง แต่ หลัง ก่อน ทั้ง ทุก หลาย บาง ต่าง เหล่า พวก เขา เรา ครั้ง
    ขึ้น ลง เข้า ออก มา ไป กัน อาจ มัก น่า ควร ต้อง ได้ ไม่ ก็ ใด ไร เพื่อ ซึ่ง โดย ตาม อีก มาก ช่วง ตอน ปี เมื่อ ของ
    และ หรือ ส่วน จน ใน คำ""".split())
# Nouns for persons, places and parts: what begins with one and goes on with a word is two words.
HEADS = "ผู้ นัก โรง ภาย ข้อ ตัว คำ".split()
# Words that would be cut so, but are one: data, people, man, woman, oneself.
UNCUT = set("ข้อมูล ผู้คน ผู้ชาย ผู้หญิง ตัวเอง".split())
# Signs that are words, and an abbreviation made of them: no other word contains them.
SIGNS = {"ฯ", "ๆ", "ฯลฯ"}


def fewest_parts(w, counts, least):
    """The fewest words that make up a word, or None."""
    best = [None] * (len(w) + 1)
    best[0] = (0, 0.0, [])
    for i in range(len(w)):
        for j in range(i + 2, len(w) + 1) if best[i] else []:
            part = w[i:j]
            if part != w and counts.get(part, 0) >= least and (len(part) > 2 or part in SHORT):
                found = (best[i][0] + 1, best[i][1] - math.log(counts[part]), best[i][2] + [part])
                best[j] = min(best[j] or found, found)
    return best[-1] and best[-1][2]


def thai(path):
    from pythainlp.corpus import thai_words, tnc, ttc
    counts = collections.Counter({w: 1 for w in thai_words() if re.match("^[\u0e00-\u0e7f]+$", w)})
    for corpus in (tnc, ttc):
        for w, count in dict(corpus.unigram_word_freqs()).items():
            if w in counts:
                counts[w] += count
    parts = {}
    for w in counts:
        if w[-1] in SIGNS and w not in SIGNS:
            parts[w] = [w[:-1], w[-1]]
            continue
        if len(w) < 4 or w.startswith(("การ", "ความ")) and len(w) > 4:
            continue
        head = next((h for h in HEADS if w.startswith(h) and counts[w[len(h):]] >= 100), None)
        if head and w not in UNCUT:
            parts[w] = [head, w[len(head):]]
            continue
        found = fewest_parts(w, counts, 1000)
        if found and (counts[w] < 0.1 * min(counts[p] for p in found) or len(found) == 2
                      and LINKS & set(found) and counts[w] < max(counts[p] for p in found)):
            parts[w] = found
    counts = taken_apart(counts, parts)
    total = math.log(sum(counts.values()))
    entries = {w: [(0, 0, round((total - math.log(c)) * 100))] for w, c in counts.items()
               if (c > 1 or len(w) <= 12) and (w in SIGNS or not set(w) & set("ฯๆ"))}
    write(path, "classes 1\n0\nends 0 0\nclusters 1100 250\n\n", entries)


def main():
    makers = {"jpn": japanese, "zho": chinese, "tha": thai}
    for code in sys.argv[2:] or makers:
        makers[code](os.path.join(sys.argv[1], code + ".txt"))


if __name__ == "__main__":
    main()
