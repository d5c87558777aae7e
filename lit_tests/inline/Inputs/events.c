int main(int argc, char **argv) {
  (void)argv;
#pragma omp critical
  argc--;
#pragma omp atomic
  argc++;
  return argc - 1;
}
