/* A library that is loaded and closed. */
#include "pomp_test.h"

FUNCTION(plugged, "plugged", 10);
PLACE(loop, "for", 20);

void plugin(void);
void plugin(void) {
  POMP_Begin(&plugged);
  POMP_End(&plugged);
}
