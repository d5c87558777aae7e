// Target constructs have exact launches, transfers and bytes; the host is the device.
// REQUIRES: offload
// RUN: rm -rf %t.device %t.host
// RUN: %pomp --pomp-strict -- %clang -fopenmp %offload %s -o %t
// RUN: env POMP_EXPERIMENT_DIR=%t.device %t
// RUN: %pomp report --section target %t.device | FileCheck %s
// RUN: %pomp report --format csv --section target %t.device | FileCheck --check-prefix=CSV %s
// RUN: env POMP_EXPERIMENT_DIR=%t.host OMP_TARGET_OFFLOAD=DISABLED %t
// RUN: %pomp report --section target %t.host | FileCheck --check-prefix=HOST %s
// RUN: %pomp --pomp-strict -- %clang -fopenmp %s -o %t
// RUN: rm -rf %t.host && env POMP_EXPERIMENT_DIR=%t.host %t
// RUN: %pomp report --all %t.host | FileCheck --check-prefix=NONE %s
static double a[1000];

int main(void) {
#pragma omp target data map(to : a)
  for (int k = 0; k < 3; k++) {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < 1000; i++)
      a[i]++;
  }
#pragma omp target map(from : a)
  a[0] = 1;
  return a[0] != 1;
}
// CHECK-LABEL: Target constructs
// CHECK: id {{ *}}kind {{ *}}place {{ *}}execC  hostC  launchC
// CHECK-NEXT: target data {{ *}}target.c:{{[0-9-]+}} {{ *}}1 {{ *}}0  {{.*}} 1 {{ *}}8000 {{.*}} 1 {{ *}}8000
// CHECK-NEXT: target teams distribute parallel for  target.c:{{[0-9-]+}} {{ *}}3 {{ *}}0 {{ *}}3 
// CHECK-NEXT: target {{ *}}target.c:{{[0-9-]+}} {{ *}}1 {{ *}}0 {{ *}}1  {{.*}} 1 {{ *}}8000
// CHECK: Data moved
// CHECK: 0x{{[0-9a-f]+}} {{ *}}8000
// CSV: ##BEG target constructs
// CSV-NEXT: id,device,execC,hostC,targetC,targetT
// CSV: ##BEG data moved
// HOST: target teams distribute parallel for {{.*}} 3 {{ *}}3 {{ *}}0
// NONE-NOT: Target constructs
// NONE: target teams distribute parallel for
// NONE-NOT: Target constructs
