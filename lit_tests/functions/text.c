// A measured function has one variable at its top, on the line of its brace, and nothing else.
// REQUIRES: clang
// RUN: %pomp rewrite --pomp-functions=all %s -- %clang -fopenmp | sed -e '\,^ *//,d' | FileCheck %s
// RUN: %rewrite_c | FileCheck --check-prefix=NONE %s
static int f(int x)
{
  if (x)
    return x + 1;
  return 0;
}
int main(void) { return f(1) == 0; }
// CHECK: { "region", "f", 0, "{{.*}}text.c", 5, 6, 10, 10, {{.*}}, 4, 12, "", "f", 0 }
// CHECK-SAME: void __pomp_leave1(void *const *__pomp_at) { (void)__pomp_at; POMP_End(__pomp_rd1()); }
// CHECK-SAME: static int f(int x)
// CHECK-NEXT: { void *const __pomp_f1 __attribute__((__cleanup__(__pomp_leave1), __unused__)) = (POMP_Begin(__pomp_rd1()), __pomp_rd1());
// CHECK-NEXT: if (x)
// CHECK-NEXT: return x + 1;
// CHECK-NEXT: return 0;
// CHECK-NEXT: {{^}}}
// CHECK: int main(void) { void *const __pomp_f2
// NONE-NOT: {{POMP_(Begin|End)\(}}
