/* Another's measuring library, which knows two functions of POMP. */
#include "pomp.h"

#include <stdio.h>

void POMP_For_enter(OMPRegDescr *d) { printf("enter %s\n", d->name); }
void POMP_For_exit(OMPRegDescr *d) { printf("exit %s\n", d->name); }
