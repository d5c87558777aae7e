#define ŔTEAM num_threads(2)
#define ÀLL(Å) _Pragma("omp barrier") Å
#define àfter(x) x

int main(void) {
  int à = 0, Å = 0;
#pragma omp parallel ŔTEAM firstprivate(à) default(none) shared(Å)
  {
    ÀLL(à++;)
    àfter(_Pragma("omp critical(Åà)") Å += à;)
  }
  return Å - 2;
}
