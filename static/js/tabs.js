// tabs
