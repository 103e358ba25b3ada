"""Words that people write above columns."""

from __future__ import annotations

import re

_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")

# Nobody's name and hardly anybody's value: where every column has one of these, they are a header.
_CERTAIN = re.compile(
    r"id|ids|uid|uuid|key|code|name|label|type|kind|class|value|date|time|timestamp|year|from|to|source|target"
    r"|src|dst|entity|attribute|property|head|rel|relation|tail|subj|subject|pred|predicate|obj|object|index|idx"
    r"|weight|[sphrto]|(?:node|arg|argument|col|column|entity|item|id|name)[_ ]?[12345]"
    r"|.*[_ ](?:id|key|code|name|type|date|no|nr)"
)
_JOINED = re.compile(r"([a-z]+)(?:id|name|code|key|no|nr)")

# What things are called, and what is told of them: more often names of columns than values in them.
_NOUNS = """
account activity actor address advisor age agent airport album amount animal answer area article artist atom
attribute author bond book boss brand buyer capital car category charge child children cited citing city
client cluster color colour comment community company compound concept continent cost count country course
currency customer daughter day degree department dept description destination director disease district
document drug edge element email emp employee employer end event father feature field film first friend
gender gene genre grade group height host hour husband industry institution instructor interest invoice item
job journal language last lat latitude length level lhs link location lon longitude manager member message
method minute model molecule month mother movie nation neighbor neighbour node nr number occupation office
order organisation organization origin owner page paper parent part party patient payment person phase phone
place player population position post postcode price product profession professor profile project protein
publication publisher quantity quarter question rank rate rating reaction recipient record region
relationship result review rhs role room route salary school score season section seller sender sensor
series session sex shop sibling size skill song speed spouse staff start state station status stop street
student subclass superclass supervisor supplier surname symptom tag taxon teacher teaches team term text
ticket title token topic town transaction unit university user username variable vehicle vendor venue
version visitor website week what when where which who wife word worker zip zipcode
"""
_LIKELY = frozenset(_NOUNS.split())


def is_certain_word(text: str) -> bool:
    """Whether a text is what columns are called, and nothing else.

    >>> [is_certain_word(text) for text in ("ID", "customer_name", "cityId", "orderid", "city")]
    [True, True, True, True, False]
    """
    name = spelled(text)
    joined = _JOINED.fullmatch(name)
    return _CERTAIN.fullmatch(name) is not None or (joined is not None and joined[1] in _LIKELY)


def is_likely_word(text: str, others: frozenset[str] = frozenset()) -> bool:
    """Whether a text is what columns are often called: by its last word, as in `home city`, or its plural.

    >>> [is_likely_word(text) for text in ("City", "homeCity", "people_in_cities", "paris")]
    [True, True, True, False]

    Args:
        text: the text.
        others: further words that would be names of columns, such as those in the name of the file.
    """
    words = spelled(text).split("_")
    last = words[-1]
    singular = {last, last.removesuffix("s"), last.removesuffix("es"), re.sub("ies$", "y", last)}
    return is_certain_word(text) or any(word in _LIKELY or word in others for word in singular)


def spelled(text: str) -> str:
    """Return the words of a name in small letters, with lines between them.

    >>> spelled(" Home city"), spelled("homeCity"), spelled("cityID2")
    ('home_city', 'home_city', 'city_id2')
    """
    return re.sub(r"[\W_]+|(?<=[a-z])(?=[A-Z])", "_", text.strip()).lower()


def words_of(name: str) -> frozenset[str]:
    """Return the words in the name of a file, without short ones.

    >>> sorted(words_of("PersonLivesIn"))
    ['lives', 'person']
    """
    return frozenset(part.lower() for part in _PARTS.findall(name) if len(part) > 2)
