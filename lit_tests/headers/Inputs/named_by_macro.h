#include PART
#if __has_include("named_asked.inc")
#include "named_asked.inc"
#endif
