// scroll
