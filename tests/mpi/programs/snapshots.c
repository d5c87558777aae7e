/* Profiles in between: after each step, and within a call. */
#include <mpi.h>
#include <unistd.h>

enum { STEPS = 3 };

static void step(int *value) {
#pragma omp parallel num_threads(2)
#pragma omp critical(step)
  MPI_Bcast(value, 1, MPI_INT, 0, MPI_COMM_WORLD);
#pragma pomp inst snapshot
}

/* Called by MPI. */
static void operator(void *in, void *inout, int *count, MPI_Datatype *type) {
  (void)in, (void)inout, (void)count, (void)type;
  usleep(20000);
#pragma pomp inst snapshot
}

static void under_way(int *value) {
  MPI_Op op;
  int other = 2;
  MPI_Op_create(operator, 1, &op);
#pragma omp parallel num_threads(1)
#pragma omp critical(inside)
  MPI_Reduce_local(&other, value, 1, MPI_INT, op);
  MPI_Op_free(&op);
}

int main(int argc, char **argv) {
  int level, value = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  for (int i = 0; i < STEPS; i++)
    step(&value);
  under_way(&value);
  MPI_Finalize();
  return 0;
}
