int one(int);
int two(int);
int main(void) {
  int n = 0;
#pragma omp critical(middle)
  n++;
  return one(n) + two(n) != 4;
}
