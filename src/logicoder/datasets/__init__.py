"""What can I try it on? Bundled examples, and a generator of worlds with a planted program."""

from logicoder.datasets.bundled import star_wars, star_wars_figure
from logicoder.datasets.family import family
from logicoder.datasets.generator import University, university
from logicoder.datasets.shop import Shop, shop
from logicoder.datasets.smokers import Smokers, smokers

__all__ = [
    "Shop",
    "Smokers",
    "University",
    "family",
    "shop",
    "smokers",
    "star_wars",
    "star_wars_figure",
    "university",
]
