"""The Unicode predicates: what each finds, and what it leaves alone."""

from __future__ import annotations

from typing import Any

import pytest
import regex

from mcp_cassette.predicates import ranges
from mcp_cassette.predicates.base import quoted
from mcp_cassette.predicates.table import PREDICATES, Hit

UNICODE = ("invisible-run", "bidi-unbalanced", "variation-run", "mixed-script")

LRM, RLM, ALM = "\u200e", "\u200f", "\u061c"
LRE, RLE, PDF, LRO, RLO = "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"
LRI, RLI, FSI, PDI = "\u2066", "\u2067", "\u2068", "\u2069"
ZWSP, ZWNJ, ZWJ, WJ, BOM = "\u200b", "\u200c", "\u200d", "\u2060", "\ufeff"


def find(name: str, text: str, others: frozenset[str] = frozenset(), **params: Any) -> list[Hit]:
    return list(PREDICATES[name].find(text, params, others))


def spans(name: str, text: str, **params: Any) -> list[tuple[int, int]]:
    return [(hit.start, hit.end) for hit in find(name, text, **params)]


def tags(word: str) -> str:
    return "".join(chr(0xE0000 + ord(c)) for c in word)


def flag(word: str) -> str:
    return "\U0001f3f4" + tags(word) + "\U000e007f"


ORDINARY = {
    "Arabic": "تعرض هذه الأداة حالة الطقس لمدينة ما، وتعيد درجة الحرارة والرطوبة (بالمئة).\nسنة ١٤٤٥ ه‍ الموافق 2024م.",
    "Arabic with marks": f"الإصدار {LRM}2.4.1{LRM} من ‎API‎ متاح الآن{RLM}! قُلْ «مرحبًا»{RLM}.",
    "Arabic with a letter mark": f"الرقم {ALM}-5% من المجموع",
    "Arabic in isolates": f"User {FSI}محمد{PDI} sent {FSI}3{PDI} files; {RLI}שלום{PDI}.",
    "Arabic in embeddings": f"The name {RLE}أحمد{PDF} comes first, then {LRE}Anna{PDF}.",
    "Hebrew": "הכלי מחזיר את רשימת הקבצים בתיקייה, כולל גודל ותאריך. שימו לב: צה״ל, ג׳ירפה, בְּרֵאשִׁ֖ית.",
    "Hebrew with marks": f"גרסה 3.11{LRM} (Python){RLM}, קובץ C#{LRM}.",
    "Hebrew with an ordered point": "יְרוּשָׁלַ\u034fִם",
    "Persian": f"این ابزار پرونده{ZWNJ}ها را می{ZWNJ}خواند و نتیجه{ZWNJ}اش را نشان می{ZWNJ}دهد؛ ۱۰{ZWNJ}ساله.",
    "Persian with Latin": f"فایل{ZWNJ}های PDF{ZWNJ}ها و «کتاب»{ZWNJ}ها را نمی{ZWNJ} خواهیم.",
    "Urdu": "یہ ٹول فائل کی فہرست دیتا ہے، جیسے کہ آپ نے کہا۔",
    "Syriac": f"ܫܠܡܐ{ZWJ} ܥܠܝܟܘܢ",
    "N'Ko": f"ߒ{ZWNJ}ߞߏ",
    "Chinese": "此工具返回指定城市的天气预报，包括温度、湿度和风速。（单位：℃）请先登录，再试一次！",
    "Chinese variants": "葛\U000e0100飾区と邉\U000e0102、﨑\ufe00、。\ufe00",
    "Japanese": "このツールは、指定されたフォルダー内のファイルを一覧表示します。ｶﾀｶﾅ・「引用」も使えます。",
    "Korean": "이 도구는 지정한 도시의 날씨를 알려 줍니다. 온도와 습도, 그리고 풍속(㎧)도 포함됩니다.",
    "Hindi": f"यह उपकरण फ़ाइलों की सूची देता है। क्{ZWJ}ष और क्{ZWNJ}ष अलग दिखते हैं; राष्ट्र, विज्ञान।",
    "Marathi": f"दुसऱ्या, सुर्{ZWJ}यास",
    "Bengali": f"র{ZWJ}্যাব এবং হঠাত্{ZWJ} বৃষ্টি",
    "Malayalam": f"അവന്{ZWJ} പറഞ്ഞു, കാല്{ZWJ}. വാൾ",
    "Sinhala": f"ශ්{ZWJ}රී ලංකා ප්{ZWJ}රජාතාන්ත්{ZWJ}රික",
    "Tamil": f"கக்{ZWNJ}ஷ மற்றும் பிற",
    "Thai": f"เครื่องมือนี้แสดงรายการ{ZWSP}ไฟล์ใน{ZWSP}โฟลเดอร์ ขนาดและวันที่",
    "Lao": f"ສະບາຍດີ{ZWSP}ທຸກ{ZWSP}ຄົນ",
    "Khmer": f"ឧបករណ៍{ZWSP}នេះ{ZWSP}បង្ហាញ{ZWSP}បញ្ជី{ZWSP}ឯកសារ។{ZWSP} អរគុណ{ZWSP} API",
    "Burmese": f"ဤ{ZWSP}ကိရိယာ{ZWSP}သည် ဖိုင်စာရင်းကို ပြသည်။",
    "Tibetan": f"བོད་{ZWSP}ཡིག",
    "Mongolian": "ᠮᠣᠩᠭᠣᠯ ᠪᠢᠴᠢᠭ᠌ ᠠᠮᠠ\u180eᠠ ᠨ\u180bᠠ",
    "Russian": (
        "Этот инструмент возвращает список файлов. Поддерживаются PDFы, APIшка, SMSки и JSON-файлы; Vмакс = 5 м/с, "
        "мегаом (МОм), Wi-Fi, веб-API, user_имя, v2версия2, id: Ёлка."
    ),
    "Russian, escaped": r"Строка один\nПривет, мир\tТабуляция %sФайл",
    "Ukrainian": "Цей інструмент повертає перелік файлів; під'їзд, її, ґанок.",
    "Serbian": "Овај алат враћа списак датотека. Љубав, Ђорђе, Ово је API.",
    "Greek": "Αυτό το εργαλείο επιστρέφει τη λίστα των αρχείων (PDF, API), π.χ. «αρχείο».",
    "units": "5 µs, 3 μm, 10 kΩ, 4.7 MΩ, 12 μmol/L, ΔT = 3 K, πr², λx.x, 2Ω, sinθ, 4 kΩ, α-helix, TNFα, NFκB, β2",
    "phonetic": "thirst /θɜːst/, birthday [ˈbɜːθdeɪ], Bach /baχ/ː, ˈaβo",
    "mathematics": "∀ε>0 ∃δ>0: |x−a|<δ ⇒ |f(x)−L|<ε; ∩\ufe00 ≨\ufe00 0\ufe00",
    "Vietnamese": "Công cụ này liệt kê các tệp trong thư mục; người dùng có thể chọn.",
    "German": "Dieses Werkzeug listet Dateien auf: Größe, Datum, „Zitat“ – schön!",
    "French": "Cet outil\u00a0: liste les fichiers, «\u202foui\u202f», à l’école, œuvre.",
    "Turkish": "Bu araç dosyaları listeler; ışık, İstanbul, ğ.",
    "families": "👨‍👩‍👧‍👦 👩‍❤️‍💋‍👨 👩🏽‍🚀 🧑🏿‍🤝‍🧑🏻 🏃🏽‍♀️‍➡️ 🧔‍♂️ 👨‍⚕️ 🐻‍❄️ 🐦‍⬛ 🍋‍🟩 😶‍🌫️ 👁️‍🗨️ 🧑‍🧑‍🧒‍🧒 ⛓️‍💥",
    "emoji flags": f"🏳️‍🌈 🏴‍☠️ 🏳️‍⚧️ 🇩🇪🇫🇷 {flag('gbeng')}{flag('gbsct')} {flag('gbwls')} {flag('ustx')}",
    "more emoji": "❤️‍🔥 ☺️ ☎︎ ✔️ 1️⃣ #️⃣ *️⃣ 0⃣ ©️ ™️ ↔️ ⚠️ 〰️ ㊗️ 👍🏽 🅰️",
    "a Windows file": f"{BOM}name,city\r\nAnna,Köln\r\n",
    "ASCII": "plain text\r\n\twith 'quotes' and \\n and code(); " * 3,
}


@pytest.mark.parametrize("name", UNICODE)
@pytest.mark.parametrize("language", sorted(ORDINARY))
def test_ordinary_text_is_silent(name: str, language: str) -> None:
    assert find(name, ORDINARY[language]) == []


@pytest.mark.parametrize("name", UNICODE)
def test_ascii_text_is_silent_at_once(name: str) -> None:
    assert PREDICATES[name].non_ascii
    assert next(PREDICATES[name].find("a\u007f" * 10, {}, frozenset()), None) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\u200bb", [(1, 2)]),
        ("a\u200b\u200b\u200bb\u2060", [(1, 4), (5, 6)]),
        ("Donau\u00addampfer", [(5, 6)]),
        (f"{BOM}a{BOM}b", [(2, 3)]),
        (f"{BOM}{ZWSP}a", [(1, 2)]),
        (f"ok{ZWJ}👩", [(2, 3)]),  # only one emoji
        (f"👩{ZWJ}", [(1, 2)]),
        (f"👩{ZWJ}{ZWJ}👩", [(1, 3)]),
        (f"می{ZWNJ}{ZWNJ}{ZWJ}خواند", [(2, 5)]),  # three in a row spell no word
        (f"中{ZWSP}文", [(1, 2)]),
        (f"a{LRM}b", [(1, 2)]),  # no right-to-left letter in the text
        (f"ab{LRM}{RLM}{LRM} שלום", [(2, 5)]),
        ("한\u3164글", [(1, 2)]),
        ("a\ufff9b\ufffbc", [(1, 2), (3, 4)]),
        ("x\U000e0041", [(1, 2)]),
        (f"a{ZWSP}\ufe0f{ZWSP}\u2066{ZWSP}b", [(1, 6)]),  # other invisible characters do not break a run
        ("a\u2064\u2062b", [(1, 3)]),
        ("m\u034fn", [(1, 2)]),
        ("\U000e0fff", [(0, 1)]),
    ],
)
def test_invisible_run(text: str, expected: list[tuple[int, int]]) -> None:
    assert spans("invisible-run", text) == expected


def test_invisible_run_says_what_cannot_be_seen() -> None:
    assert find("invisible-run", "a\u200bb")[0].note == "U+200B ZERO WIDTH SPACE (1 invisible code point)"
    assert find("invisible-run", "a" + "\u2060" * 5)[0].note == "U+2060 WORD JOINER (5 invisible code points in a row)"
    assert find("invisible-run", "a" + tags('say "hi"') + "b")[0].note == (
        "U+E0073 TAG LATIN SMALL LETTER S (8 invisible code points in a row; spells \"say 'hi'\")"
    )
    assert find("invisible-run", "\ufff0")[0].note == "U+FFF0 UNASSIGNED (1 invisible code point)"
    long = find("invisible-run", "a" + tags("x" * 100))[0].note
    assert long is not None and long.endswith(f'spells "{"x" * 60}…")')


def test_invisible_run_counts_from_its_minimum() -> None:
    assert spans("invisible-run", "a\u200bb\u200b\u200bc", min=2) == [(3, 5)]
    assert spans("invisible-run", "a\U000e0041b", min=2) == [(1, 2)]
    assert spans("invisible-run", "a\U000e0041b", min=2, tags=False) == []
    assert spans("invisible-run", f"👩{ZWJ}👩{ZWJ}👩 {flag('gbsct')}", min=2) == []


@pytest.mark.parametrize(
    "text",
    [
        "\U0001f3f4" + tags("gbsct"),  # no cancel tag
        "\U0001f3f4" + tags("gb") + "\U000e007f",  # too short
        flag("gbsctxyz"),  # too long
        flag("hidden"),  # no region
        tags("gbsct") + "\U000e007f",  # no flag
        flag("gbsct") + tags("a"),
    ],
)
def test_tags_outside_a_well_formed_flag_count(text: str) -> None:
    assert len(find("invisible-run", text, min=10)) == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"a{RLO}b{PDF}c", [(1, 2)]),
        (f"a{LRO}b", [(1, 2)]),
        (f"a{RLE}b\nc{PDF}", [(1, 2), (5, 6)]),
        (f"a{RLI}b\u2029c", [(1, 2)]),
        (f"{PDI}a{PDF}", [(0, 1), (2, 3)]),
        (f"{RLI}{LRE}a{PDI}", [(1, 2)]),  # the isolate closes and the embedding in it does not
        (f"{LRE}{RLI}a{PDF}{PDI}{PDF}", [(3, 4)]),  # an isolate shields the embedding around it
        (f"{RLI}{FSI}{LRI}a{PDI}{PDI}{PDI}", []),
        (f"{RLI}{FSI}a{PDI}", [(0, 1)]),
        (f"a{LRE}b\r\n{LRE}c{PDF}", [(1, 2)]),
        (f"{RLI}שלום\u2028{PDI}", []),  # a line separator ends no paragraph
    ],
)
def test_bidi_unbalanced(text: str, expected: list[tuple[int, int]]) -> None:
    assert spans("bidi-unbalanced", text) == expected


def test_bidi_unbalanced_says_what_is_wrong() -> None:
    assert [hit.note for hit in find("bidi-unbalanced", f"{RLO}a\n{RLI}b\n{PDF}")] == [
        "U+202E RIGHT-TO-LEFT OVERRIDE",
        "U+2067 RIGHT-TO-LEFT ISOLATE is not closed on its line",
        "U+202C POP DIRECTIONAL FORMATTING closes nothing",
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\ufe0f", [(0, 1)]),
        ("a\ufe0f", [(1, 2)]),
        ("a \ufe0fb", [(2, 3)]),
        ("1\ufe0f2", [(1, 2)]),  # no keycap
        ("😀\ufe0f\ufe0f", [(1, 3)]),
        ("😀\ufe05", [(1, 2)]),
        ("😀\U000e0101", [(1, 2)]),
        ("中\ufe05", []),
        ("я\ufe0e", [(1, 2)]),
        ("a\u180b", [(1, 2)]),
        ("a" + "\U000e0110\U000e0151" * 3, [(1, 7)]),
    ],
)
def test_variation_run(text: str, expected: list[tuple[int, int]]) -> None:
    assert spans("variation-run", text) == expected


def test_variation_run_spells_the_bytes_it_carries() -> None:
    hidden = "".join(chr(0xFE00 + b) if b < 16 else chr(0xE0100 + b - 16) for b in b"call home")
    assert find("variation-run", "😀" + hidden)[0].note == (
        'U+E0153 VARIATION SELECTOR-100 (9 variation selectors in a row; spells "call home")'
    )
    assert find("variation-run", "a\ufe0f")[0].note == (
        "U+FE0F VARIATION SELECTOR-16 after U+0061 LATIN SMALL LETTER A, which takes none"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use p\u0430ypal now", [(4, 10)]),
        ("p\u03b1ypal", [(0, 6)]),
        ("\u0441ode", [(0, 4)]),
        ("C\u043aачать", [(0, 7)]),  # a Latin capital that passes for the Cyrillic one
        ("e\u0301\u0430bc", [(0, 5)]),
        ("API\u0448кааа", [(0, 8)]),  # five letters are no ending
        ("\u03bcser", [(0, 4)]),
        ("a_\u0430 b-\u0430 c1\u0430", []),
        ("о\u0430о κ\u0430", []),
    ],
)
def test_mixed_script(text: str, expected: list[tuple[int, int]]) -> None:
    assert spans("mixed-script", text) == expected


@pytest.mark.parametrize(
    ("word", "note"),
    [
        ("p\u0430ypal", "U+0430 CYRILLIC SMALL LETTER A in a Latin word"),
        ("скaчать", "U+0061 LATIN SMALL LETTER A in a Cyrillic word"),
        ("l\u03bfgin", "U+03BF GREEK SMALL LETTER OMICRON in a Latin word"),
        (
            "p\u0430yp\u0430l\u043e",
            "U+0430 CYRILLIC SMALL LETTER A, U+043E CYRILLIC SMALL LETTER O in a Latin word",
        ),
    ],
)
def test_mixed_script_names_the_odd_letters(word: str, note: str) -> None:
    assert find("mixed-script", word)[0].note == note


def test_the_sets_of_characters_agree_with_the_unicode_database() -> None:
    ignorable = regex.compile(r"\p{Default_Ignorable_Code_Point}")
    selector = regex.compile(r"\p{Variation_Selector}")
    bidi = regex.compile(r"\p{Bidi_Control}")
    emoji = regex.compile(r"[\p{Emoji}\p{Extended_Pictographic}]")
    keycaps = set("0123456789#*")
    selectors, invisible = ranges.chars(ranges.SELECTORS), ranges.chars(ranges.INVISIBLE)
    embedding, pictures = ranges.chars(ranges.BIDI), ranges.chars(ranges.EMOJI)
    for code in (*range(0x3400), *range(0xA000, 0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE1000)):
        char = chr(code)
        if selector.match(char):
            assert selectors.match(char), hex(code)
        elif ignorable.match(char) or bidi.match(char):
            assert invisible.match(char) or embedding.match(char), hex(code)
        else:
            assert not selectors.match(char) and not embedding.match(char), hex(code)
        if emoji.match(char) and char not in keycaps:
            assert pictures.match(char), hex(code)


def test_a_quotation_is_one_printable_line() -> None:
    assert quoted('a "b"\n\tc\x1b\u202e\u3164d') == "\"a 'b'  c<U+001B><U+202E><U+3164>d\""
    assert quoted("x" * 61) == f'"{"x" * 60}…"'
