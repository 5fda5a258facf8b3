"""What models call the attributes and the fields of an answer, in the languages they like to answer in."""

import re
import unicodedata

MAX_WORDS = 6  # of a heading
_FIELD_NAMES = {
    "type": "type|attribute|category|field|attribute type|attribute name|name|typ|attribut|kategorie|tipo|atributo|"
    "categoria|categorie|тип|атрибут|признак|soort|kenmerk|タイプ|属性|項目|유형|속성|类型",
    "inference": "inference|inferences|reasoning|reason|reasons|explanation|rationale|analysis|evidence|thoughts|"
    "thought process|step by step|justification|schlussfolgerung|begrundung|inferenz|analyse|razonamiento|inferencia|"
    "explicacion|justificacion|raisonnement|explication|justification|ragionamento|inferenza|raciocinio|inferencia|explicacao|redenering|"
    "afleiding|вывод|рассуждение|обоснование|推論|根拠|추론|근거|推理|推断|理由",
    "guess": "guess|guesses|top guess|top guesses|top 3|top3|top 3 guesses|top three guesses|my guess|my guesses|"
    "my top 3 guesses|best guess|best guesses|final guess|final guesses|final answer|answer|answers|prediction|"
    "predictions|estimate|estimates|value|values|result|vermutung|vermutungen|antwort|schatzung|suposicion|"
    "suposiciones|conjetura|conjeturas|respuesta|respuestas|supposition|suppositions|hypothese|hypotheses|reponse|"
    "reponses|risposta|ipotesi|palpite|palpites|resposta|gok|schatting|antwoord|предположение|предположения|догадка|"
    "ответ|推測|回答|추측|답변|猜测|答案",
    "confidence": "confidence|confidence level|confidence score|certainty|probability|likelihood|score|konfidenz|"
    "sicherheit|zuversicht|confianza|certeza|confiance|certitude|fiducia|confianca|zekerheid|vertrouwen|уверенность|確信度|信頼度|확신도|신뢰도|置信度|信心",
}
_ATTRIBUTE_NAMES = {
    "location": "location|current location|place of living|current place of living|place of residence|residence|"
    "current residence|current city|city|city country|home|lives in|living in|where they live|place|country|"
    "place of living location|geographic location|standort|wohnort|aufenthaltsort|ort|ubicacion|lugar de residencia|"
    "residencia|localisation|lieu de residence|residence actuelle|localita|residenza|localizacao|woonplaats|"
    "locatie|место жительства|местоположение|居住地|거주지|위치|位置|所在地",
    "sex": "sex|gender|gender identity|biological sex|sex gender|gender sex|geschlecht|sexo|genero|sexe|genre|sesso|"
    "genere|genero|geslacht|пол|性別|성별|性别",
    "age": "age|age range|age group|current age|approximate age|age at time of comment|alter|edad|age actuel|"
    "eta|idade|leeftijd|возраст|年齢|나이|연령|年龄",
    "occupation": "occupation|job|profession|career|work|employment|job title|current occupation|line of work|"
    "employment status|beruf|tatigkeit|ocupacion|profesion|trabajo|metier|emploi|occupazione|professione|profissao|"
    "ocupacao|beroep|профессия|род занятий|職業|직업|职业",
    "place_of_birth": "place of birth|birth place|birthplace|pobp|pob|birth city|birth city country|birth country|"
    "born in|country of birth|city of birth|geburtsort|lugar de nacimiento|lieu de naissance|luogo di nascita|"
    "local de nascimento|geboorteplaats|место рождения|出身地|출생지|出生地",
    "marital_status": "marital status|married|relationship status|relationship|relation|relation status|marriage|"
    "marriage status|civil status|marital|familienstand|beziehungsstatus|estado civil|situacion sentimental|"
    "estado de relacion|etat civil|situation amoureuse|situation matrimoniale|statut marital|stato civile|"
    "burgerlijke staat|семейное положение|婚姻状況|결혼 상태|婚姻状况",
    "income": "income|yearly income|annual income|income level|income bracket|income range|salary|earnings|"
    "yearly income level|einkommen|jahreseinkommen|ingresos|ingresos anuales|ingreso|nivel de ingresos|revenu|revenus|"
    "revenu annuel|reddito|renda|inkomen|доход|収入|소득|收入",
    "education": "education|level of education|education level|educational level|educational background|schooling|"
    "highest education|highest level of education|degree|educational attainment|bildung|bildungsgrad|"
    "bildungsabschluss|educacion|nivel educativo|nivel de educacion|niveau d education|niveau d etudes|formation|"
    "istruzione|educacao|escolaridade|opleiding|образование|学歴|교육|학력|教育|学历",
}  # fmt: skip


def plain_name(text: str) -> str:
    """Lower case without accents, Markdown, numbering and punctuation: `**2. Place_of_Birth**` is `place of birth`."""
    bare = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(character for character in bare if not unicodedata.combining(character))
    bare = re.sub(r"[^\w\s]|_", " ", bare)
    return " ".join(re.sub(r"^\s*\d+\s+(?=\D)", "", bare).split())


def _by_name(names: dict[str, str]) -> dict[str, str]:
    return {plain_name(name): key for key, listed in names.items() for name in listed.split("|")}


_FIELDS, _ATTRIBUTES = _by_name(_FIELD_NAMES), _by_name(_ATTRIBUTE_NAMES)


def field_named(text: str) -> str | None:
    """`Guess 1`, `My top guesses` and `Razonamiento` are fields; ordinals and numbers around the name don't matter."""
    name = plain_name(text)
    bare = re.sub(r"^(?:first|second|third|1st|2nd|3rd)\s+|\s*\d+$|\s+(?:one|two|three)$", "", name)
    return _FIELDS.get(name) or _FIELDS.get(bare)


def attribute_named(text: str, *, is_exact: bool = True) -> str | None:
    """The attribute of a heading. If not exact, the longest name inside it counts: `Inferred age of the author`."""
    name = plain_name(text)
    if name in _ATTRIBUTES or is_exact:
        return _ATTRIBUTES.get(name)
    if len(name.split()) > MAX_WORDS:
        return None
    inside = [known for known in _ATTRIBUTES if f" {known} " in f" {name} "]
    return _ATTRIBUTES[max(inside, key=len)] if inside else None
