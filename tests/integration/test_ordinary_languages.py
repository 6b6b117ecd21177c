"""Ordinary sentences of many languages, emoji and a Windows file's first line are silent under every shape rule."""

from __future__ import annotations

import pytest

from mcp_cassette.lint.plan import bind
from mcp_cassette.match.budget import Budget
from mcp_cassette.match.evaluate import evaluate
from mcp_cassette.match.scan import Scan
from mcp_cassette.packs.load import load
from mcp_cassette.packs.model import Rule

SHAPE = [rule for rule in load().rules if rule.evidence == "shape" and rule.check is None]
ORDINARY = {
    "Arabic": "يعرض هذا الأمر حالة الطقس في المدينة لمدة ثلاثة أيام، مع درجات الحرارة (بالدرجة المئوية).",
    "Hebrew": "הכלי מחזיר את רשימת הקבצים בתיקייה, מהחדש לישן, עד 20 שורות.",
    "Persian": "این ابزار فهرست فایل‌ها را نشان می‌دهد و نام‌های آن‌ها را مرتب می‌کند.",
    "Chinese": "返回指定城市未来三天的天气预报，包括最高和最低气温。",
    "Japanese": "指定した都市の三日間の天気予報を返します。気温は摂氏で表示されます。",
    "Korean": "지정한 도시의 3일간 일기 예보를 알려 줍니다. 기온은 섭씨로 표시됩니다.",
    "Hindi": "यह उपकरण चुने हुए शहर का मौसम और अगले तीन दिनों का पूर्वानुमान दिखाता है।",
    "Thai": "เครื่องมือนี้แสดงพยากรณ์อากาศของเมืองที่เลือกเป็นเวลาสามวัน",
    "Russian": "Возвращает прогноз погоды на три дня для указанного города, температура в градусах Цельсия.",
    "emoji": "Family 👩‍👩‍👧‍👦, pirate 🏴‍☠️, rainbow 🏳️‍🌈, heart ❤️, keycap 3️⃣, thumbs 👍🏽",
    "flags": "🇩🇪 🇯🇵 🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",
    "Windows file": "\ufeffName;Ort\r\nMüller;Köln\r\n",
}


@pytest.mark.parametrize("language", ORDINARY)
@pytest.mark.parametrize("rule", SHAPE, ids=lambda rule: rule.id)
def test_silent(rule: Rule, language: str) -> None:
    text = ORDINARY[language]
    for surface in ("tool.description", "prompt.description", "tool.schema", "output.tool", "output.resource"):
        bound = bind(rule, surface)
        if bound is not None:
            assert evaluate(Scan(text), bound.when, rule.soften, bound.within, Budget(len(text))) is None, surface
