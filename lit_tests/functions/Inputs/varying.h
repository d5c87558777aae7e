static TYPE NAME(TYPE x) { return x; }
