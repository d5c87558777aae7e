// With gcc, the events that clang inlines are calls, made if the visit counts. The program checks
// the thread's variable once for each visit.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %pomp -- %gcc -fopenmp -O2 -S %s -o - | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp -Og -fPIC -S %s -o - | FileCheck %s
// RUN: %pomp -- %gxx -fopenmp -Os -x c++ -S %s -o - | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp -S %s -o - | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp -O2 -O0 -S %s -o - | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp -O2 -fsanitize=undefined -S %s -o - | FileCheck %s
// RUN: %pomp -- %gcc -fopenmp -O2 -flto -finstrument-functions -c %s -o lto.o

// The compiler prints no warning, and the compiled text contains the guards.
// RUN: %pomp --pomp-keep=kept -- %gcc -std=c99 -pedantic -fopenmp -O2 -Wall -Wextra -Wshadow -Wunused -Winline -Wconversion -Wredundant-decls -Wmissing-prototypes -Wdeclaration-after-statement -Werror -Wno-unknown-pragmas -c %s -o c.o 2>&1 | not grep .
// RUN: %pomp --pomp-keep=kept -- %gxx -std=c++98 -pedantic-errors -fopenmp -O2 -Wall -Wextra -Wshadow -Wold-style-cast -Wuseless-cast -Wmissing-declarations -Werror -Wno-unknown-pragmas -x c++ -c %s -o cxx.o 2>&1 | not grep .
// RUN: cat kept/*/stderr | not grep .
// RUN: grep -rl __pomp_on kept | grep -c . | grep '^2$'

// Not where they are asked not to be, or runs of lines are counted.
// RUN: %pomp --pomp-inline=off -- %gcc -fopenmp -O2 -S %s -o - | FileCheck --check-prefix=CALLED %s
// RUN: %pomp -- %gcc -fopenmp -O2 -fsanitize=thread -S %s -o - | FileCheck --check-prefix=CALLED %s
// RUN: %pomp -- %gcc -fopenmp -O2 -fprofile-generate -S %s -o - | FileCheck --check-prefix=CALLED %s
// RUN: %pomp --pomp-library=log -- %gcc -fopenmp -O2 -S %s -o - | FileCheck --check-prefix=CALLED %s
// RUN: %pomp rewrite %s -- %gcc -fopenmp -O2 | sed -e '/^ *[/][/]/d' | FileCheck --check-prefix=CALLED %s

// No event of the null library is left, except where a header contains calls as well.
// RUN: %pomp --pomp-library=null -- %gcc -fopenmp -O2 -S %s -o - | FileCheck --check-prefix=NULL %s
// RUN: %pomp --pomp-library=null -- %gxx -fopenmp -x c++ -O1 -fsanitize=undefined -S %s -o - | FileCheck --check-prefix=NULL %s
// RUN: %pomp --pomp-library=null --pomp-keep=null -- %gcc -std=c99 -pedantic -fopenmp -O0 -Wall -Wextra -Wshadow -Winline -Wredundant-decls -Wmissing-prototypes -Wstrict-prototypes -Werror -Wno-unknown-pragmas -S %s -o - | FileCheck --check-prefix=NULL %s
// RUN: cat null/*/stderr | not grep .
// RUN: %pomp --pomp-library=null --pomp-inline=off -- %gcc -fopenmp -O2 -S %s -o - | FileCheck --check-prefix=CALLED %s
int sum(int n);
int sum(int n) {
  int s = 0;
#pragma omp critical
  s += n;
#pragma omp parallel default(none) shared(s)
  {
#pragma omp atomic
    s++;
#pragma omp master
    s++;
  }
  return s;
}
// CHECK-DAG: pomp_self_{{[0-9a-f]+}}_of_another_pomp_clang_compile_again@{{GOTTPOFF|gottpoff}}
// CHECK-DAG: POMP_Critical_enter
// CHECK-DAG: POMP_Critical_exit
// CHECK-DAG: POMP_Atomic_enter
// CHECK-DAG: POMP_Master_end
// NULL-NOT: {{POMP|pomp_self_|__pomp_on}}
// CALLED-NOT: {{pomp_self_|__pomp_on}}
// CALLED: POMP_Critical_enter
// CALLED-NOT: {{pomp_self_|__pomp_on}}
