"""Which program says the data in the fewest bits?"""
