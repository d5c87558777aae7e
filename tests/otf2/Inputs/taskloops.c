#include <omp.h>
#include <time.h>

/* Waits, so that the other thread comes to run what there is. */
static void work(int ms)
{
    struct timespec t = {0, ms * 1000000L};
    nanosleep(&t, 0);
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp master
        {
#pragma omp taskloop num_tasks(3)
            for (int i = 0; i < 3; i++)
                work(i == 1 ? 6 : 2);
#pragma omp taskgroup
            {
#pragma omp task
                work(5);
                work(1);
            }
#pragma omp task
            work(4);
#pragma omp taskwait
#pragma omp taskloop nogroup num_tasks(3)
            for (int i = 0; i < 3; i++)
                work(2);
        }
#pragma omp barrier
#pragma omp single
        {
#pragma omp taskloop num_tasks(2)
            for (int i = 0; i < 2; i++)
            {
#pragma omp taskloop num_tasks(2)
                for (int j = 0; j < 2; j++)
                    work(1 + i);
            }
        }
#pragma omp critical(name)
        work(1);
    }
#pragma omp parallel master taskloop num_threads(2) num_tasks(3)
    for (int i = 0; i < 3; i++)
        work(1 + 3 * i);
    return 0;
}
