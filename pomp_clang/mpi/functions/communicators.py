"""Groups, communicators, attributes and topologies."""

from __future__ import annotations

from pomp_clang.mpi.function import MpiFunction

FUNCTIONS = (
    MpiFunction("Attr_delete", "MPI_Comm comm, int keyval"),
    MpiFunction("Attr_get", "MPI_Comm comm, int keyval, void *attribute_val, int *flag"),
    MpiFunction("Attr_put", "MPI_Comm comm, int keyval, void *attribute_val"),
    MpiFunction("Cart_coords", "MPI_Comm comm, int rank, int maxdims, int coords[]"),
    MpiFunction(
        "Cart_create",
        "MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, "
        "MPI_Comm *comm_cart",
        after="derived(comm_old, comm_cart)",
    ),
    MpiFunction("Cart_get", "MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]"),
    MpiFunction(
        "Cart_map",
        "MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank",
    ),
    MpiFunction("Cart_rank", "MPI_Comm comm, const int coords[], int *rank"),
    MpiFunction(
        "Cart_shift",
        "MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest",
    ),
    MpiFunction(
        "Cart_sub",
        "MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    MpiFunction("Cartdim_get", "MPI_Comm comm, int *ndims"),
    MpiFunction(
        "Comm_accept",
        "const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm",
    ),
    MpiFunction("Comm_call_errhandler", "MPI_Comm comm, int errorcode"),
    MpiFunction("Comm_compare", "MPI_Comm comm1, MPI_Comm comm2, int *result"),
    MpiFunction(
        "Comm_connect",
        "const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm",
    ),
    MpiFunction(
        "Comm_create",
        "MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    MpiFunction(
        "Comm_create_errhandler",
        "MPI_Comm_errhandler_function *comm_errhandler_fn, MPI_Errhandler *errhandler",
    ),
    MpiFunction(
        "Comm_create_from_group",
        "MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, "
        "MPI_Comm *newcomm",
        after="joined(newcomm)",
    ),
    MpiFunction(
        "Comm_create_group",
        "MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm",
        after="joined(newcomm)",
    ),
    MpiFunction(
        "Comm_create_keyval",
        "MPI_Comm_copy_attr_function *comm_copy_attr_fn, "
        "MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, "
        "void *extra_state",
    ),
    MpiFunction("Comm_delete_attr", "MPI_Comm comm, int comm_keyval"),
    MpiFunction("Comm_disconnect", "MPI_Comm *comm"),
    MpiFunction(
        "Comm_dup",
        "MPI_Comm comm, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    MpiFunction(
        "Comm_dup_with_info",
        "MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    MpiFunction("Comm_free", "MPI_Comm *comm"),
    MpiFunction("Comm_free_keyval", "int *comm_keyval"),
    MpiFunction("Comm_get_attr", "MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag"),
    MpiFunction("Comm_get_errhandler", "MPI_Comm comm, MPI_Errhandler *errhandler"),
    MpiFunction("Comm_get_info", "MPI_Comm comm, MPI_Info *info_used"),
    MpiFunction("Comm_get_name", "MPI_Comm comm, char *comm_name, int *resultlen"),
    MpiFunction("Comm_get_parent", "MPI_Comm *parent"),
    MpiFunction("Comm_group", "MPI_Comm comm, MPI_Group *group"),
    MpiFunction(
        "Comm_idup",
        "MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request",
        after="duplicates(&call, comm, newcomm, request)",
    ),
    MpiFunction(
        "Comm_idup_with_info",
        "MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request",
        after="duplicates(&call, comm, newcomm, request)",
    ),
    MpiFunction("Comm_join", "int fd, MPI_Comm *intercomm"),
    MpiFunction("Comm_rank", "MPI_Comm comm, int *rank"),
    MpiFunction("Comm_remote_group", "MPI_Comm comm, MPI_Group *group"),
    MpiFunction("Comm_remote_size", "MPI_Comm comm, int *size"),
    MpiFunction("Comm_set_attr", "MPI_Comm comm, int comm_keyval, void *attribute_val"),
    MpiFunction("Comm_set_errhandler", "MPI_Comm comm, MPI_Errhandler errhandler"),
    MpiFunction("Comm_set_info", "MPI_Comm comm, MPI_Info info"),
    MpiFunction("Comm_set_name", "MPI_Comm comm, const char *comm_name"),
    MpiFunction("Comm_size", "MPI_Comm comm, int *size"),
    MpiFunction(
        "Comm_spawn",
        "const char *command, char *argv[], int maxprocs, MPI_Info info, int root, "
        "MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]",
    ),
    MpiFunction(
        "Comm_spawn_multiple",
        "int count, char *array_of_commands[], char **array_of_argv[], "
        "const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, "
        "MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]",
    ),
    MpiFunction(
        "Comm_split",
        "MPI_Comm comm, int color, int key, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    MpiFunction(
        "Comm_split_type",
        "MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    MpiFunction("Comm_test_inter", "MPI_Comm comm, int *flag"),
    MpiFunction("Dims_create", "int nnodes, int ndims, int dims[]"),
    MpiFunction(
        "Dist_graph_create",
        "MPI_Comm comm_old, int n, const int sources[], const int degrees[], "
        "const int destinations[], const int weights[], MPI_Info info, int reorder, "
        "MPI_Comm *comm_dist_graph",
        after="derived(comm_old, comm_dist_graph)",
    ),
    MpiFunction(
        "Dist_graph_create_adjacent",
        "MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], "
        "int outdegree, const int destinations[], const int destweights[], MPI_Info info, "
        "int reorder, MPI_Comm *comm_dist_graph",
        after="derived(comm_old, comm_dist_graph)",
    ),
    MpiFunction(
        "Dist_graph_neighbors",
        "MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree, "
        "int destinations[], int destweights[]",
    ),
    MpiFunction(
        "Dist_graph_neighbors_count",
        "MPI_Comm comm, int *indegree, int *outdegree, int *weighted",
    ),
    MpiFunction(
        "Graph_create",
        "MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder, "
        "MPI_Comm *comm_graph",
        after="derived(comm_old, comm_graph)",
    ),
    MpiFunction("Graph_get", "MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]"),
    MpiFunction(
        "Graph_map",
        "MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank",
    ),
    MpiFunction("Graph_neighbors", "MPI_Comm comm, int rank, int maxneighbors, int neighbors[]"),
    MpiFunction("Graph_neighbors_count", "MPI_Comm comm, int rank, int *nneighbors"),
    MpiFunction("Graphdims_get", "MPI_Comm comm, int *nnodes, int *nedges"),
    MpiFunction("Group_compare", "MPI_Group group1, MPI_Group group2, int *result"),
    MpiFunction("Group_difference", "MPI_Group group1, MPI_Group group2, MPI_Group *newgroup"),
    MpiFunction("Group_excl", "MPI_Group group, int n, const int ranks[], MPI_Group *newgroup"),
    MpiFunction("Group_free", "MPI_Group *group"),
    MpiFunction(
        "Group_from_session_pset",
        "MPI_Session session, const char *pset_name, MPI_Group *newgroup",
    ),
    MpiFunction("Group_incl", "MPI_Group group, int n, const int ranks[], MPI_Group *newgroup"),
    MpiFunction("Group_intersection", "MPI_Group group1, MPI_Group group2, MPI_Group *newgroup"),
    MpiFunction("Group_range_excl", "MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup"),
    MpiFunction("Group_range_incl", "MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup"),
    MpiFunction("Group_rank", "MPI_Group group, int *rank"),
    MpiFunction("Group_size", "MPI_Group group, int *size"),
    MpiFunction(
        "Group_translate_ranks",
        "MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]",
    ),
    MpiFunction("Group_union", "MPI_Group group1, MPI_Group group2, MPI_Group *newgroup"),
    MpiFunction(
        "Intercomm_create",
        "MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, "
        "int tag, MPI_Comm *newintercomm",
        after="joined(newintercomm)",
    ),
    MpiFunction(
        "Intercomm_create_from_groups",
        "MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader, "
        "const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, "
        "MPI_Comm *newintercomm",
        after="joined(newintercomm)",
    ),
    MpiFunction(
        "Intercomm_merge",
        "MPI_Comm intercomm, int high, MPI_Comm *newintracomm",
        after="derived(intercomm, newintracomm)",
    ),
    MpiFunction(
        "Keyval_create",
        "MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, "
        "void *extra_state",
    ),
    MpiFunction("Keyval_free", "int *keyval"),
    MpiFunction("Topo_test", "MPI_Comm comm, int *status"),
    MpiFunction("Win_call_errhandler", "MPI_Win win, int errorcode"),
    MpiFunction(
        "Win_create_errhandler",
        "MPI_Win_errhandler_function *win_errhandler_fn, MPI_Errhandler *errhandler",
    ),
    MpiFunction(
        "Win_create_keyval",
        "MPI_Win_copy_attr_function *win_copy_attr_fn, "
        "MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state",
    ),
    MpiFunction("Win_delete_attr", "MPI_Win win, int win_keyval"),
    MpiFunction("Win_free_keyval", "int *win_keyval"),
    MpiFunction("Win_get_attr", "MPI_Win win, int win_keyval, void *attribute_val, int *flag"),
    MpiFunction("Win_get_errhandler", "MPI_Win win, MPI_Errhandler *errhandler"),
    MpiFunction("Win_get_name", "MPI_Win win, char *win_name, int *resultlen"),
    MpiFunction("Win_set_attr", "MPI_Win win, int win_keyval, void *attribute_val"),
    MpiFunction("Win_set_errhandler", "MPI_Win win, MPI_Errhandler errhandler"),
    MpiFunction("Win_set_name", "MPI_Win win, const char *win_name"),
)
