static int größe(int n, int äh) {
#pragma omp parallel if(äh)
  n = 1;
#pragma pomp inst begin(übergang)
  n = 2;
#pragma pomp inst end(übergang)
#line 40 "ö/日本.c"
#pragma omp critical(λß)
  n = 3;
  return n;
}

int main(void) {
  return größe(1, 1) - 3;
}
