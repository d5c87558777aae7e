"""Datatypes, and packing by them."""

from __future__ import annotations

from pomp_clang.mpi.function import MpiFunction

FUNCTIONS = (
    MpiFunction("Get_address", "const void *location, MPI_Aint *address"),
    MpiFunction("Get_elements", "const MPI_Status *status, MPI_Datatype datatype, N *count"),
    MpiFunction(
        "Get_elements_x", "const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count"
    ),
    MpiFunction(
        "Pack",
        "const void *inbuf, N incount, MPI_Datatype datatype, void *outbuf, N outsize, "
        "N *position, MPI_Comm comm",
    ),
    MpiFunction(
        "Pack_external",
        "const char *datarep, const void *inbuf, N incount, MPI_Datatype datatype, "
        "void *outbuf, A outsize, A *position",
    ),
    MpiFunction(
        "Pack_external_size",
        "const char *datarep, N incount, MPI_Datatype datatype, A *size",
    ),
    MpiFunction("Pack_size", "N incount, MPI_Datatype datatype, MPI_Comm comm, N *size"),
    MpiFunction("Status_set_cancelled", "MPI_Status *status, int flag"),
    MpiFunction("Status_set_elements", "MPI_Status *status, MPI_Datatype datatype, int count"),
    MpiFunction(
        "Status_set_elements_x", "MPI_Status *status, MPI_Datatype datatype, MPI_Count count"
    ),
    MpiFunction("Type_commit", "MPI_Datatype *datatype"),
    MpiFunction("Type_contiguous", "N count, MPI_Datatype oldtype, MPI_Datatype *newtype"),
    MpiFunction(
        "Type_create_darray",
        "int size, int rank, int ndims, const N array_of_gsizes[], "
        "const int array_of_distribs[], const int array_of_dargs[], "
        "const int array_of_psizes[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype",
    ),
    MpiFunction("Type_create_f90_complex", "int p, int r, MPI_Datatype *newtype"),
    MpiFunction("Type_create_f90_integer", "int r, MPI_Datatype *newtype"),
    MpiFunction("Type_create_f90_real", "int p, int r, MPI_Datatype *newtype"),
    MpiFunction(
        "Type_create_hindexed",
        "N count, const N array_of_blocklengths[], const A array_of_displacements[], "
        "MPI_Datatype oldtype, MPI_Datatype *newtype",
    ),
    MpiFunction(
        "Type_create_hindexed_block",
        "N count, N blocklength, const A array_of_displacements[], MPI_Datatype oldtype, "
        "MPI_Datatype *newtype",
    ),
    MpiFunction(
        "Type_create_hvector",
        "N count, N blocklength, A stride, MPI_Datatype oldtype, MPI_Datatype *newtype",
    ),
    MpiFunction(
        "Type_create_indexed_block",
        "N count, N blocklength, const N array_of_displacements[], MPI_Datatype oldtype, "
        "MPI_Datatype *newtype",
    ),
    MpiFunction(
        "Type_create_keyval",
        "MPI_Type_copy_attr_function *type_copy_attr_fn, "
        "MPI_Type_delete_attr_function *type_delete_attr_fn, int *type_keyval, "
        "void *extra_state",
    ),
    MpiFunction(
        "Type_create_resized", "MPI_Datatype oldtype, A lb, A extent, MPI_Datatype *newtype"
    ),
    MpiFunction(
        "Type_create_struct",
        "N count, const N array_of_blocklengths[], const A array_of_displacements[], "
        "const MPI_Datatype array_of_types[], MPI_Datatype *newtype",
    ),
    MpiFunction(
        "Type_create_subarray",
        "int ndims, const N array_of_sizes[], const N array_of_subsizes[], "
        "const N array_of_starts[], int order, MPI_Datatype oldtype, MPI_Datatype *newtype",
    ),
    MpiFunction("Type_delete_attr", "MPI_Datatype datatype, int type_keyval"),
    MpiFunction("Type_dup", "MPI_Datatype oldtype, MPI_Datatype *newtype"),
    MpiFunction("Type_free", "MPI_Datatype *datatype"),
    MpiFunction("Type_free_keyval", "int *type_keyval"),
    MpiFunction(
        "Type_get_attr",
        "MPI_Datatype datatype, int type_keyval, void *attribute_val, int *flag",
    ),
    MpiFunction(
        "Type_get_contents",
        "MPI_Datatype datatype, int max_integers, int max_addresses, int max_datatypes, "
        "int array_of_integers[], MPI_Aint array_of_addresses[], "
        "MPI_Datatype array_of_datatypes[]",
    ),
    MpiFunction(
        "Type_get_contents_c",
        "MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses, "
        "MPI_Count max_large_counts, MPI_Count max_datatypes, int array_of_integers[], "
        "MPI_Aint array_of_addresses[], MPI_Count array_of_large_counts[], "
        "MPI_Datatype array_of_datatypes[]",
    ),
    MpiFunction(
        "Type_get_envelope",
        "MPI_Datatype datatype, int *num_integers, int *num_addresses, int *num_datatypes, "
        "int *combiner",
    ),
    MpiFunction(
        "Type_get_envelope_c",
        "MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses, "
        "MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner",
    ),
    MpiFunction("Type_get_extent", "MPI_Datatype datatype, A *lb, A *extent"),
    MpiFunction("Type_get_extent_x", "MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent"),
    MpiFunction("Type_get_name", "MPI_Datatype datatype, char *type_name, int *resultlen"),
    MpiFunction("Type_get_true_extent", "MPI_Datatype datatype, A *true_lb, A *true_extent"),
    MpiFunction(
        "Type_get_true_extent_x",
        "MPI_Datatype datatype, MPI_Count *true_lb, MPI_Count *true_extent",
    ),
    MpiFunction(
        "Type_indexed",
        "N count, const N array_of_blocklengths[], const N array_of_displacements[], "
        "MPI_Datatype oldtype, MPI_Datatype *newtype",
    ),
    MpiFunction("Type_match_size", "int typeclass, int size, MPI_Datatype *datatype"),
    MpiFunction("Type_set_attr", "MPI_Datatype datatype, int type_keyval, void *attribute_val"),
    MpiFunction("Type_set_name", "MPI_Datatype datatype, const char *type_name"),
    MpiFunction("Type_size", "MPI_Datatype datatype, N *size"),
    MpiFunction("Type_size_x", "MPI_Datatype datatype, MPI_Count *size"),
    MpiFunction(
        "Type_vector",
        "N count, N blocklength, N stride, MPI_Datatype oldtype, MPI_Datatype *newtype",
    ),
    MpiFunction(
        "Unpack",
        "const void *inbuf, N insize, N *position, void *outbuf, N outcount, "
        "MPI_Datatype datatype, MPI_Comm comm",
    ),
    MpiFunction(
        "Unpack_external",
        "const char datarep[], const void *inbuf, A insize, A *position, void *outbuf, "
        "N outcount, MPI_Datatype datatype",
    ),
)
