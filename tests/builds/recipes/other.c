int other(int n) { return 2 * n; }
