int kept() { return 1; }
