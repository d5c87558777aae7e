static inline void in_header(int *calls) { NAMED(calls); }
