// With clang, events of cheap constructs are inlined from -O1 on: only the cold path contains
// calls. Events that wait anyway are calls.
// REQUIRES: clang
// RUN: %pomp -- %clang -fopenmp -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %pomp -- %clang -fopenmp -O1 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %pomp -- %clang -fopenmp -O2 -fPIC -march=native -flto -c %s -o %t.o
// RUN: %pomp -- %clang -fopenmp -Os -x c++ -S -emit-llvm %s -o - | FileCheck %s
// RUN: %pomp -- %clang -fopenmp -O2 -fshort-wchar -fcf-protection -S -emit-llvm %s -o - | FileCheck %s
// RUN: %pomp -- %clang -fopenmp -O2 -Wall -Wextra -Werror -save-temps=obj -c %s -o %t.o

// Without optimization, or with a memory sanitizer, they are calls, guarded as with gcc.
// RUN: %pomp -- %clang -fopenmp -S -emit-llvm %s -o - | FileCheck --check-prefix=GUARDED %s
// RUN: %pomp -- %clang -fopenmp -O2 -O0 -x c++ -S -emit-llvm %s -o - | FileCheck --check-prefix=GUARDED %s
// RUN: %pomp -- %clang -fopenmp -O2 -fsanitize=address,undefined -S -emit-llvm %s -o - | FileCheck --check-prefix=GUARDED %s

// Not where they are asked not to be.
// RUN: %pomp --pomp-inline=off -- %clang -fopenmp -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=CALLED %s
// RUN: env POMP_FLAGS=--pomp-inline=off %pomp -- %clang -fopenmp -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=CALLED %s
// RUN: %pomp -- %clang -fopenmp -fprofile-generate -S -emit-llvm %s -o - | FileCheck --check-prefix=CALLED %s
// RUN: %pomp -- %clang -fopenmp -O2 -fsanitize=thread -S -emit-llvm %s -o - | FileCheck --check-prefix=CALLED %s
// RUN: %pomp --pomp-library=log -- %clang -fopenmp -O2 -S -emit-llvm %s -o - | FileCheck --check-prefix=CALLED %s

// The null library leaves nothing of its calls.
// RUN: %pomp --pomp-library=null -- %clang -fopenmp -O2 -S %s -o - | FileCheck --check-prefix=NULL %s
// RUN: %pomp --pomp-library=null -- %clang -fopenmp -O1 -S %s -o - | FileCheck --check-prefix=NULL %s
int sum(int n) {
  int s = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for
    for (int i = 0; i < n; i++) {
#pragma omp critical
      s += i;
#pragma omp atomic
      s++;
    }
#pragma omp single
#pragma omp task
    n++;
  }
  return s + n;
}
// CHECK: @pomp_self_{{[0-9a-f]+}}_of_another_pomp_clang_compile_again = external thread_local(initialexec)
// CHECK-NOT: call {{.*}}@POMP_{{Critical|Atomic}}
// CHECK: call {{.*}}@POMP_For_exit
// CHECK-NOT: call {{.*}}@POMP_{{Critical|Atomic}}
// CHECK: declare {{.*}}@pomp_call_
// CALLED-NOT: pomp_self_
// CALLED-DAG: call {{.*}}@POMP_Critical_enter
// CALLED-DAG: call {{.*}}@POMP_Critical_begin
// CALLED-DAG: call {{.*}}@POMP_Critical_end
// CALLED-DAG: call {{.*}}@POMP_Critical_exit
// CALLED-DAG: call {{.*}}@POMP_Atomic_enter
// CALLED-DAG: call {{.*}}@POMP_Atomic_exit
// GUARDED: @pomp_self_{{[0-9a-f]+}}_of_another_pomp_clang_compile_again = external thread_local(initialexec)
// GUARDED-NOT: pomp_call_
// GUARDED-DAG: call {{.*}}@POMP_Critical_enter
// GUARDED-DAG: call {{.*}}@POMP_Critical_exit
// GUARDED-DAG: call {{.*}}@POMP_Atomic_exit
// NULL-NOT: {{POMP|pomp_self|pomp_call}}
