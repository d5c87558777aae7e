#include <omp.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;
static volatile double x;

static void work(int n)
{
    for (int i = 0; i < n; i++)
        x += i;
}

static long fib(int n)
{
    long a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) untied
    a = fib(n - 1);
#pragma omp task shared(b) if (n > 3)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void locked(void)
{
    omp_set_lock(&lock);
    work(10);
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    if (omp_test_lock(&lock))
        omp_unset_lock(&lock);
}

int main(void)
{
    omp_set_max_active_levels(2);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
    for (int step = 0; step < 3; step++)
#pragma omp parallel
    {
#pragma omp for ordered
        for (int i = 0; i < 8; i++)
        {
            work(i);
#pragma omp critical(name)
            work(1);
#pragma omp ordered
            work(1);
        }
#pragma omp critical
        work(1);
        locked();
#pragma omp sections
        {
#pragma omp section
            work(1);
#pragma omp section
            work(2);
        }
#pragma omp barrier
#pragma omp single
        x += fib(6);
#pragma omp master
        work(1);
#pragma omp atomic
        x += 1;
#pragma omp parallel sections
        {
#pragma omp section
            work(1);
        }
#pragma omp parallel for
        for (int i = 0; i < 4; i++)
            work(i);
#pragma omp taskgroup
        {
#pragma omp task
            work(2);
        }
    }
#pragma omp inst off
#pragma omp parallel
    work(1);
#pragma omp inst on
    return 0;
}
