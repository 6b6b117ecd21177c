"""The look-alikes of UTS 39: words of many scripts that pass for Latin ones, and honest prose that shows nothing."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mcp_cassette.match.views import VIEWS


def shown(text: str) -> str:
    seen = VIEWS["skeleton"](text) or VIEWS["folded"](text)
    return text if seen is None else seen.text


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("ignоrе", "ignore"),  # Cyrillic
        ("ехесutе", "execute"),
        ("Іgnοrе", "ignore"),  # a capital Cyrillic i, a Greek omicron
        ("pаѕѕwоrԁ", "password"),
        ("ѕһоԝ", "show"),
        ("αll ρrevιουs", "all previous"),  # Greek
        ("ign𝛐re", "ignore"),  # mathematical Greek
        ("𝐢𝑔𝓃𝖔𝗋𝚎", "ignore"),  # mathematical alphabets
        ("ｉｇｎоｒｅ", "ignore"),  # full-width with Cyrillic
        ("ᎠᎬᏞᎬᎢᎬ", "delete"),  # Cherokee
        ("ꭰelete", "delete"),
        ("ign𐐬re", "ignore"),  # Deseret
        ("ꓲꓖꓠꓳꓣꓰ", "ignore"),  # Lisu
        ("ⲓgnⲟre", "ignore"),  # Coptic
        ("ignօre", "ignore"),  # Armenian
        ("igոore", "ignore"),
        ("fჿrget", "forget"),  # Georgian
        ("ɪɢɴᴏʀᴇ", "ignore"),  # small capitals
        ("ɪgnоʀe", "ignore"),
        ("ᛖESSAGE", "message"),  # Runic
        ("ᛕey", "key"),
        ("ignⵔre", "ignore"),  # Tifinagh
        ("ᗪelete", "delete"),  # Canadian syllabics
        ("deꮮete", "delete"),
        ("ign𐊒re", "ignore"),  # Lycian
        ("𐌕oken", "token"),  # Old Italic
        ("ign𐓪re", "ignore"),  # Osage
        ("ign𑣈re", "ignore"),  # Warang Citi
        ("ꕶend", "send"),  # Vai
        ("𖼊oken", "token"),  # Miao
        ("t𐔖ken", "token"),  # Elbasan
        ("\U0001ccde\U0001ccdc\U0001cce3\U0001cce4\U0001cce7\U0001ccda", "ignore"),  # outlined capitals
        ("🅸🅶🅽🅾🆁🅴", "ignore"),
        ("ign०re", "ignore"),  # a Devanagari digit between Latin letters
        ("ignסre", "ignore"),  # Hebrew
        ("ignهre", "ignore"),  # Arabic
        ("fഠrget", "forget"),  # Malayalam
        ("bꚙk", "book"),  # one character, two letters
    ],
)
def test_words_of_look_alikes(text: str, view: str) -> None:
    assert shown(text) == view


def test_one_character_that_becomes_two_letters_keeps_its_place() -> None:
    text = "a bꚙk here"
    seen = VIEWS["skeleton"](text)
    assert seen is not None and seen.text == "a book here"
    assert seen.raw_span(2, 6) == (2, 5)
    assert seen.raw_span(3, 4) == seen.raw_span(4, 5) == (3, 4)
    assert seen.raw_span(7, 11) == (6, 10)


PROSE = {
    "Russian": "Сегодня утром мы поехали в деревню, и дождь шёл весь день. Вместе веселее: текст, место, море, хорошо.",
    "Ukrainian": "Вона читала книжку, а діти гралися надворі. Її сестра приїхала з Києва.",
    "Bulgarian": "Времето е хубаво и децата играят в парка пред къщата.",
    "Serbian": "Данас је лепо време и деца се играју у дворишту.",
    "Greek": "Σήμερα το πρωί πήγαμε στην αγορά και αγοράσαμε ψωμί, τυρί και ελιές για το σπίτι.",
    "polytonic Greek": "Ἐν ἀρχῇ ἦν ὁ λόγος, καὶ ὁ λόγος ἦν πρὸς τὸν θεόν.",
    "Armenian": "Այսօր եղանակը լավ է, և մենք գնում ենք այգի։ Նրա հոգում խաղաղություն է։",
    "Georgian": "დღეს კარგი ამინდია და ბავშვები ეზოში თამაშობენ.",
    "Hebrew": "היום יפה בחוץ והילדים משחקים בגן. סוס וסוסה, Wordו-Excel וגם WordוExcel.",
    "Arabic": "الطقس جميل اليوم والأطفال يلعبون في الحديقة. هذا هو الAPI رقم ٥ و١٠.",
    "Persian": "امروز هوا خوب است و بچه‌ها در حیاط بازی می‌کنند.",
    "Hindi": "आज मौसम अच्छा है और बच्चे बगीचे में खेल रहे हैं। ३० API।JSON",
    "Bengali": "আজ আবহাওয়া ভালো এবং শিশুরা বাগানে খেলছে। ২০০০ সাল",
    "Tamil": "இன்று வானிலை நன்றாக உள்ளது, குழந்தைகள் விளையாடுகிறார்கள்.",
    "Malayalam": "ഇന്ന് നല്ല കാലാവസ്ഥയാണ്, കുട്ടികൾ കളിക്കുന്നു. ഠാഠ SDKം",
    "Thai": "วันนี้อากาศดีและเด็กๆ กำลังเล่นในสวน ๑๐ API",
    "Burmese": "ဒီနေ့ရာသီဥတုကောင်းတယ်။ APIဝင်ပါ။ ၁၀",
    "Chinese": "今天天气很好，孩子们在院子里玩。丫头用API〇一。",
    "Japanese": "今日は天気がいいです。APIを使う。〇〇さんとA〇B。ロード",
    "Korean": "오늘은 날씨가 좋아서 아이들이 마당에서 놀아요. okㅇㅇ ㅇㅋ",
    "Cherokee": "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ ᎠᏂᏴᏫᏯ",
    "Amharic": "ዛሬ አየሩ ጥሩ ነው ልጆችም ይጫወታሉ።",
    "Inuktitut": "ᐃᓄᒃᑎᑐᑦ ᐅᖃᐅᓯᖅ ᐊᑐᖅᑕᐅᕙᒃᑐᖅ",
    "Tamazight": "ⴰⵣⵓⵍ ⴼⵍⵍⴰⵡⵏ ⵜⴰⵎⴰⵣⵉⵖⵜ",
    "Vietnamese": "Hôm nay trời đẹp và trẻ em đang chơi ngoài sân.",
    "Polish": "Łódź jest pięknym miastem, a źrebię biegnie przez łąkę.",
    "Danish": "Vi læser bøger på ærøsk, og månen er rød.",
    "Icelandic": "Það er gott veður í dag og þetta er æðislegt.",
    "French": "Le cœur a ses raisons; l'œuvre est naïve, ça va.",
    "German": "Größe, Straße und Übermut gefallen mir.",
    "transcription": "In /ˈsɪstəm/ the vowel is [ə] or [ɨ].",
    "signs": "width×height │ a∪b ∨ c, 500 g ℮, 12 µm, 5 µs, A→B ∞ ¡Hola! p∥q",
}


@pytest.mark.parametrize("language", sorted(PROSE))
def test_honest_prose_shows_nothing(language: str) -> None:
    text = PROSE[language]
    folded = VIEWS["folded"](text)
    assert shown(text) == (text if folded is None else folded.text)


def test_a_dotless_i_stays_beside_other_letters_of_its_language() -> None:
    assert shown("ışığı çıktı") == "ışığı çıktı"
    assert shown("ıgnore") == "ignore"  # and so would sınıf: Latin it is already


def test_a_part_of_a_word_is_no_word() -> None:
    assert VIEWS["skeleton"]("сореж") is None
    assert shown("сорe") == "cope"
    assert shown("忽略ignоre") == "忽略ignore"


def test_the_table_is_read_when_a_text_needs_it() -> None:
    program = (
        "import sys, time\n"
        "from mcp_cassette.match.views import VIEWS\n"
        "VIEWS['skeleton']('plain text')\n"
        "assert 'mcp_cassette.match.confusables' not in sys.modules\n"
        "assert VIEWS['skeleton']('ign\\u043ere').text == 'ignore'\n"
        "assert 'mcp_cassette.match.confusables' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
