#include <Python.h>

static PyObject *total(PyObject *self, PyObject *argument) {
    (void)self;
    long count = PyLong_AsLong(argument), sum = 0;
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (long i = 0; i < count; i++) sum += i;
    return PyLong_FromLong(sum);
}

static PyMethodDef functions[] = {{"total", total, METH_O, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "parts", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit_parts(void) { return PyModule_Create(&module); }
