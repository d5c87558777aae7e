#pragma omp parallel for schedule(static, 1)
