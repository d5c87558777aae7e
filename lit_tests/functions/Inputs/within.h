namespace inner {
inline int once(int n) {
  return [](int m) { return m - m; }(n);
}
}
