"""What can I try it on? Bundled examples, and a generator of worlds with a planted program."""

from logicoder.datasets.bundled import star_wars, star_wars_figure
from logicoder.datasets.generator import University, university
from logicoder.datasets.smokers import Smokers, smokers

__all__ = ["Smokers", "University", "smokers", "star_wars", "star_wars_figure", "university"]
