"""Other programs that solve selection problems exactly: each gets the plain formulation."""
