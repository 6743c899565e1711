"""Small exact tables of counts; every number is a function of one of them."""
