/* How a program ends, and the errors, attributes and exit status that are its own. */
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int rank, size;

static int deleted(MPI_Comm comm, int key, void *value, void *state) {
  (void)comm, (void)key, (void)state;
  printf("%d: deleted %s\n", rank, (char *)value);
  return MPI_SUCCESS;
}

static jmp_buf back;
static int handled;

/* One that returns to the call, and one that leaves it for good. */
static void handle(MPI_Comm *comm, int *error, ...) {
  int class;
  MPI_Error_class(*error, &class);
  printf("%d: handled %d of %s\n", rank, class == MPI_ERR_RANK,
         *comm == MPI_COMM_WORLD ? "the world" : "another");
  if (handled++)
    longjmp(back, 1);
}

static void handlers(void) {
  MPI_Errhandler handler, before;
  int value = 0, called;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  called = MPI_Send(&value, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
  printf("%d: came back with an error: %d\n", rank, called != MPI_SUCCESS);
  if (!setjmp(back))
    MPI_Send(&value, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
  MPI_Errhandler_free(&handler);
#pragma omp parallel num_threads(1)
#pragma omp critical(afterwards)
  MPI_Allreduce(&handled, &value, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  printf("%d: handled of all: %d\n", rank, value);
}

static int errors(void) {
  int key, found, class;
  char *value;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL);
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, "an attribute");
  MPI_Comm_get_attr(MPI_COMM_WORLD, key, &value, &found);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Error_class(MPI_Send(&found, 1, MPI_INT, size + 5, 0, MPI_COMM_WORLD), &class);
  printf("%d: %s, to nobody: %d\n", rank, value, class == MPI_ERR_RANK);
  MPI_Error_class(MPI_Isend(&found, -1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request), &class);
  printf("%d: less than nothing: %d\n", rank, class == MPI_ERR_COUNT);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  handlers();
  MPI_Finalize();
  return 3;
}

/* The others wait for what never comes. */
static int wait_for(int lost) {
  int got;
#pragma omp parallel num_threads(1)
#pragma omp critical(waiting)
  MPI_Recv(&got, 1, MPI_INT, lost, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return 0;
}

static void send_first(void) {
  int one = rank;
#pragma omp parallel num_threads(1)
#pragma omp critical(sent)
  MPI_Bcast(&one, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(argv[1], "errors"))
    return errors();
  send_first();
  if (rank != size - 1)
    return wait_for(size - 1);
  sleep(1);
  if (!strcmp(argv[1], "abort"))
    MPI_Abort(MPI_COMM_WORLD, 7);
  raise(SIGKILL);
  return 0;
}
