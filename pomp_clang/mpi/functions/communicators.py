"""Groups, communicators, attributes and topologies."""

from __future__ import annotations

from pomp_clang.mpi.function import Function

FUNCTIONS = (
    Function("Attr_delete", "MPI_Comm comm, int keyval"),
    Function("Attr_get", "MPI_Comm comm, int keyval, void *attribute_val, int *flag"),
    Function("Attr_put", "MPI_Comm comm, int keyval, void *attribute_val"),
    Function("Cart_coords", "MPI_Comm comm, int rank, int maxdims, int coords[]"),
    Function(
        "Cart_create",
        "MPI_Comm comm_old, int ndims, const int dims[], const int periods[], int reorder, "
        "MPI_Comm *comm_cart",
        after="derived(comm_old, comm_cart)",
    ),
    Function("Cart_get", "MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[]"),
    Function(
        "Cart_map",
        "MPI_Comm comm, int ndims, const int dims[], const int periods[], int *newrank",
    ),
    Function("Cart_rank", "MPI_Comm comm, const int coords[], int *rank"),
    Function(
        "Cart_shift",
        "MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest",
    ),
    Function(
        "Cart_sub",
        "MPI_Comm comm, const int remain_dims[], MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    Function("Cartdim_get", "MPI_Comm comm, int *ndims"),
    Function(
        "Comm_accept",
        "const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm",
    ),
    Function("Comm_call_errhandler", "MPI_Comm comm, int errorcode"),
    Function("Comm_compare", "MPI_Comm comm1, MPI_Comm comm2, int *result"),
    Function(
        "Comm_connect",
        "const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm",
    ),
    Function(
        "Comm_create",
        "MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    Function(
        "Comm_create_errhandler",
        "MPI_Comm_errhandler_function *comm_errhandler_fn, MPI_Errhandler *errhandler",
    ),
    Function(
        "Comm_create_from_group",
        "MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, "
        "MPI_Comm *newcomm",
        after="joined(newcomm)",
    ),
    Function(
        "Comm_create_group",
        "MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm",
        after="joined(newcomm)",
    ),
    Function(
        "Comm_create_keyval",
        "MPI_Comm_copy_attr_function *comm_copy_attr_fn, "
        "MPI_Comm_delete_attr_function *comm_delete_attr_fn, int *comm_keyval, "
        "void *extra_state",
    ),
    Function("Comm_delete_attr", "MPI_Comm comm, int comm_keyval"),
    Function("Comm_disconnect", "MPI_Comm *comm"),
    Function(
        "Comm_dup",
        "MPI_Comm comm, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    Function(
        "Comm_dup_with_info",
        "MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    Function("Comm_free", "MPI_Comm *comm"),
    Function("Comm_free_keyval", "int *comm_keyval"),
    Function("Comm_get_attr", "MPI_Comm comm, int comm_keyval, void *attribute_val, int *flag"),
    Function("Comm_get_errhandler", "MPI_Comm comm, MPI_Errhandler *errhandler"),
    Function("Comm_get_info", "MPI_Comm comm, MPI_Info *info_used"),
    Function("Comm_get_name", "MPI_Comm comm, char *comm_name, int *resultlen"),
    Function("Comm_get_parent", "MPI_Comm *parent"),
    Function("Comm_group", "MPI_Comm comm, MPI_Group *group"),
    Function(
        "Comm_idup",
        "MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request",
        after="duplicates(&call, comm, newcomm, request)",
    ),
    Function(
        "Comm_idup_with_info",
        "MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request",
        after="duplicates(&call, comm, newcomm, request)",
    ),
    Function("Comm_join", "int fd, MPI_Comm *intercomm"),
    Function("Comm_rank", "MPI_Comm comm, int *rank"),
    Function("Comm_remote_group", "MPI_Comm comm, MPI_Group *group"),
    Function("Comm_remote_size", "MPI_Comm comm, int *size"),
    Function("Comm_set_attr", "MPI_Comm comm, int comm_keyval, void *attribute_val"),
    Function("Comm_set_errhandler", "MPI_Comm comm, MPI_Errhandler errhandler"),
    Function("Comm_set_info", "MPI_Comm comm, MPI_Info info"),
    Function("Comm_set_name", "MPI_Comm comm, const char *comm_name"),
    Function("Comm_size", "MPI_Comm comm, int *size"),
    Function(
        "Comm_spawn",
        "const char *command, char *argv[], int maxprocs, MPI_Info info, int root, "
        "MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]",
    ),
    Function(
        "Comm_spawn_multiple",
        "int count, char *array_of_commands[], char **array_of_argv[], "
        "const int array_of_maxprocs[], const MPI_Info array_of_info[], int root, "
        "MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]",
    ),
    Function(
        "Comm_split",
        "MPI_Comm comm, int color, int key, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    Function(
        "Comm_split_type",
        "MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm",
        after="derived(comm, newcomm)",
    ),
    Function("Comm_test_inter", "MPI_Comm comm, int *flag"),
    Function("Dims_create", "int nnodes, int ndims, int dims[]"),
    Function(
        "Dist_graph_create",
        "MPI_Comm comm_old, int n, const int sources[], const int degrees[], "
        "const int destinations[], const int weights[], MPI_Info info, int reorder, "
        "MPI_Comm *comm_dist_graph",
        after="derived(comm_old, comm_dist_graph)",
    ),
    Function(
        "Dist_graph_create_adjacent",
        "MPI_Comm comm_old, int indegree, const int sources[], const int sourceweights[], "
        "int outdegree, const int destinations[], const int destweights[], MPI_Info info, "
        "int reorder, MPI_Comm *comm_dist_graph",
        after="derived(comm_old, comm_dist_graph)",
    ),
    Function(
        "Dist_graph_neighbors",
        "MPI_Comm comm, int maxindegree, int sources[], int sourceweights[], int maxoutdegree, "
        "int destinations[], int destweights[]",
    ),
    Function(
        "Dist_graph_neighbors_count",
        "MPI_Comm comm, int *indegree, int *outdegree, int *weighted",
    ),
    Function(
        "Graph_create",
        "MPI_Comm comm_old, int nnodes, const int indx[], const int edges[], int reorder, "
        "MPI_Comm *comm_graph",
        after="derived(comm_old, comm_graph)",
    ),
    Function("Graph_get", "MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[]"),
    Function(
        "Graph_map",
        "MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank",
    ),
    Function("Graph_neighbors", "MPI_Comm comm, int rank, int maxneighbors, int neighbors[]"),
    Function("Graph_neighbors_count", "MPI_Comm comm, int rank, int *nneighbors"),
    Function("Graphdims_get", "MPI_Comm comm, int *nnodes, int *nedges"),
    Function("Group_compare", "MPI_Group group1, MPI_Group group2, int *result"),
    Function("Group_difference", "MPI_Group group1, MPI_Group group2, MPI_Group *newgroup"),
    Function("Group_excl", "MPI_Group group, int n, const int ranks[], MPI_Group *newgroup"),
    Function("Group_free", "MPI_Group *group"),
    Function(
        "Group_from_session_pset",
        "MPI_Session session, const char *pset_name, MPI_Group *newgroup",
    ),
    Function("Group_incl", "MPI_Group group, int n, const int ranks[], MPI_Group *newgroup"),
    Function("Group_intersection", "MPI_Group group1, MPI_Group group2, MPI_Group *newgroup"),
    Function("Group_range_excl", "MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup"),
    Function("Group_range_incl", "MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup"),
    Function("Group_rank", "MPI_Group group, int *rank"),
    Function("Group_size", "MPI_Group group, int *size"),
    Function(
        "Group_translate_ranks",
        "MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[]",
    ),
    Function("Group_union", "MPI_Group group1, MPI_Group group2, MPI_Group *newgroup"),
    Function(
        "Intercomm_create",
        "MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, "
        "int tag, MPI_Comm *newintercomm",
        after="joined(newintercomm)",
    ),
    Function(
        "Intercomm_create_from_groups",
        "MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader, "
        "const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, "
        "MPI_Comm *newintercomm",
        after="joined(newintercomm)",
    ),
    Function(
        "Intercomm_merge",
        "MPI_Comm intercomm, int high, MPI_Comm *newintracomm",
        after="derived(intercomm, newintracomm)",
    ),
    Function(
        "Keyval_create",
        "MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval, "
        "void *extra_state",
    ),
    Function("Keyval_free", "int *keyval"),
    Function("Topo_test", "MPI_Comm comm, int *status"),
    Function("Win_call_errhandler", "MPI_Win win, int errorcode"),
    Function(
        "Win_create_errhandler",
        "MPI_Win_errhandler_function *win_errhandler_fn, MPI_Errhandler *errhandler",
    ),
    Function(
        "Win_create_keyval",
        "MPI_Win_copy_attr_function *win_copy_attr_fn, "
        "MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state",
    ),
    Function("Win_delete_attr", "MPI_Win win, int win_keyval"),
    Function("Win_free_keyval", "int *win_keyval"),
    Function("Win_get_attr", "MPI_Win win, int win_keyval, void *attribute_val, int *flag"),
    Function("Win_get_errhandler", "MPI_Win win, MPI_Errhandler *errhandler"),
    Function("Win_get_name", "MPI_Win win, char *win_name, int *resultlen"),
    Function("Win_set_attr", "MPI_Win win, int win_keyval, void *attribute_val"),
    Function("Win_set_errhandler", "MPI_Win win, MPI_Errhandler errhandler"),
    Function("Win_set_name", "MPI_Win win, const char *win_name"),
)
