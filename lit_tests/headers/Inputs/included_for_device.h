// A function of a header that is included between declare target and its end.
int included(int);
