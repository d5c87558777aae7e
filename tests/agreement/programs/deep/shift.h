static int deep_shift(int n) { return 1 << (n + 30); }
