/* Heat in a plate whose conductivity depends on its temperature: a small program for the example
   of continuous integration.  Build: cc -fopenmp -O2 heat.c -lm; run: ./heat [sweeps] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 2000

static double plate[2][N][N];

static double sweep(double (*from)[N], double (*to)[N])
{
    double change = 0.0;
#pragma omp parallel for reduction(max : change)
    for (int i = 1; i < N - 1; i++) {
        for (int j = 1; j < N - 1; j++) {
            double mean = 0.25 * (from[i - 1][j] + from[i + 1][j] + from[i][j - 1] + from[i][j + 1]);
            double flow = (mean - from[i][j]) * exp(-0.001 * mean);
            to[i][j] = from[i][j] + flow;
            change = fmax(change, fabs(flow));
        }
    }
    return change;
}

static double energy(double (*of)[N])
{
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += of[i][j];
    return sum;
}

int main(int argc, char **argv)
{
    int sweeps = argc > 1 ? atoi(argv[1]) : 20;
    double change = 0.0;
    for (int j = 0; j < N; j++)
        plate[0][0][j] = plate[1][0][j] = 100.0;
    for (int k = 0; k < sweeps; k++)
        change = sweep(plate[k % 2], plate[(k + 1) % 2]);
    printf("%d sweeps: change %.3e, energy %.3e\n", sweeps, change, energy(plate[sweeps % 2]));
    return 0;
}
