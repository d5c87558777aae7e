"""The environment, sessions, other processes, reduction operators and old names."""

from __future__ import annotations

from pomp_clang.mpi.function import MpiFunction

FUNCTIONS = (
    MpiFunction("Abort", "MPI_Comm comm, int errorcode"),
    MpiFunction("Add_error_class", "int *errorclass"),
    MpiFunction("Add_error_code", "int errorclass, int *errorcode"),
    MpiFunction("Add_error_string", "int errorcode, const char *string"),
    MpiFunction("Alloc_mem", "MPI_Aint size, MPI_Info info, void *baseptr"),
    MpiFunction("Close_port", "const char *port_name"),
    MpiFunction("Errhandler_free", "MPI_Errhandler *errhandler"),
    MpiFunction("Error_class", "int errorcode, int *errorclass"),
    MpiFunction("Error_string", "int errorcode, char *string, int *resultlen"),
    MpiFunction("Finalize", "void", before="finishing()"),
    MpiFunction("Finalized", "int *flag"),
    MpiFunction("Free_mem", "void *base"),
    MpiFunction("Get_library_version", "char *version, int *resultlen"),
    MpiFunction("Get_processor_name", "char *name, int *resultlen"),
    MpiFunction("Get_version", "int *version, int *subversion"),
    MpiFunction("Grequest_complete", "MPI_Request request"),
    MpiFunction(
        "Grequest_start",
        "MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn, "
        "MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request",
    ),
    MpiFunction("Info_create", "MPI_Info *info"),
    MpiFunction("Info_create_env", "int argc, char *argv[], MPI_Info *info"),
    MpiFunction("Info_delete", "MPI_Info info, const char *key"),
    MpiFunction("Info_dup", "MPI_Info info, MPI_Info *newinfo"),
    MpiFunction("Info_free", "MPI_Info *info"),
    MpiFunction("Info_get", "MPI_Info info, const char *key, int valuelen, char *value, int *flag"),
    MpiFunction("Info_get_nkeys", "MPI_Info info, int *nkeys"),
    MpiFunction("Info_get_nthkey", "MPI_Info info, int n, char *key"),
    MpiFunction(
        "Info_get_string",
        "MPI_Info info, const char *key, int *buflen, char *value, int *flag",
    ),
    MpiFunction("Info_get_valuelen", "MPI_Info info, const char *key, int *valuelen, int *flag"),
    MpiFunction("Info_set", "MPI_Info info, const char *key, const char *value"),
    MpiFunction("Init", "int *argc, char ***argv", after="ready()"),
    MpiFunction(
        "Init_thread",
        "int *argc, char ***argv, int required, int *provided",
        after="ready()",
    ),
    MpiFunction("Initialized", "int *flag"),
    MpiFunction("Is_thread_main", "int *flag"),
    MpiFunction("Lookup_name", "const char *service_name, MPI_Info info, char *port_name"),
    MpiFunction("Op_commutative", "MPI_Op op, int *commute"),
    MpiFunction("Op_create", "MPI_User_function *user_fn, int commute, MPI_Op *op"),
    MpiFunction("Op_create_c", "MPI_User_function_c *user_fn, int commute, MPI_Op *op"),
    MpiFunction("Op_free", "MPI_Op *op"),
    MpiFunction("Open_port", "MPI_Info info, char *port_name"),
    MpiFunction("Publish_name", "const char *service_name, MPI_Info info, const char *port_name"),
    MpiFunction("Query_thread", "int *provided"),
    MpiFunction(
        "Reduce_local",
        "const void *inbuf, void *inoutbuf, N count, MPI_Datatype datatype, MPI_Op op",
    ),
    MpiFunction("Session_call_errhandler", "MPI_Session session, int errorcode"),
    MpiFunction(
        "Session_create_errhandler",
        "MPI_Session_errhandler_function *session_errhandler_fn, MPI_Errhandler *errhandler",
    ),
    MpiFunction("Session_finalize", "MPI_Session *session"),
    MpiFunction("Session_get_errhandler", "MPI_Session session, MPI_Errhandler *errhandler"),
    MpiFunction("Session_get_info", "MPI_Session session, MPI_Info *info_used"),
    MpiFunction(
        "Session_get_nth_pset",
        "MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name",
    ),
    MpiFunction("Session_get_num_psets", "MPI_Session session, MPI_Info info, int *npset_names"),
    MpiFunction(
        "Session_get_pset_info", "MPI_Session session, const char *pset_name, MPI_Info *info"
    ),
    MpiFunction("Session_init", "MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session"),
    MpiFunction("Session_set_errhandler", "MPI_Session session, MPI_Errhandler errhandler"),
    MpiFunction("Unpublish_name", "const char *service_name, MPI_Info info, const char *port_name"),
)
