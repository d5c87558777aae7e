#include <omp.h>
static omp_lock_t Å;
static int à;
#pragma omp threadprivate(à)

int größe(int å, int ą, int xÅ) {
  int à = å, Å = 0, ž[2] = {0, 0}, ş;
#pragma omp parallel private(à) firstprivate(xÅ) reduction(+:Å) if(ą) num_threads(2)
  {
    à = xÅ + 1;
    Å += à;
  }
#pragma omp parallel default(none) shared(ž,à) firstprivate(ą,Å) num_threads(2 + 0 * ą)
#pragma omp single
  ž[0] = Å + ą + à;
#pragma omp parallel for default(none) num_threads(2) reduction(+: à, Å) lastprivate(å) private(ą)
  for (int і = 0; і < 4; і++) {
    à += і;
    ą = і;
    å = ą;
    Å++;
  }
#pragma omp parallel for simd default(none) num_threads(2) shared(ž)
  for (ş = 0; ş < 2; ş++)
    ž[ş] = ş;
#pragma omp critical(λà)
  à++;
#pragma omp task firstprivate(à) shared(Å)
  Å += à;
#pragma omp taskwait
#pragma pomp inst begin(Åà, à)
  à++;
#pragma pomp inst end(Åà, Å)
  return à + å + Å + ž[1];
}

int main(void) {
  omp_init_lock(&Å);
  omp_set_lock(&Å);
  omp_unset_lock(&Å);
#pragma omp parallel num_threads(2) copyin(à)
  à++;
  return größe(1, 1, 1) == 29 ? 0 : 1;
}
