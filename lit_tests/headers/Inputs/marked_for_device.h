// A function that is declared for the device.
#pragma omp declare target
int declared(int);
#pragma omp end declare target
