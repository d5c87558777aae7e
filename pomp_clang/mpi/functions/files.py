"""Files: the status of a call has the bytes that it read or wrote."""

from __future__ import annotations

from pomp_clang.mpi.function import MpiFunction

FUNCTIONS = (
    MpiFunction("File_call_errhandler", "MPI_File fh, int errorcode"),
    MpiFunction("File_close", "MPI_File *fh"),
    MpiFunction(
        "File_create_errhandler",
        "MPI_File_errhandler_function *file_errhandler_fn, MPI_Errhandler *errhandler",
    ),
    MpiFunction("File_delete", "const char *filename, MPI_Info info"),
    MpiFunction("File_get_amode", "MPI_File fh, int *amode"),
    MpiFunction("File_get_atomicity", "MPI_File fh, int *flag"),
    MpiFunction("File_get_byte_offset", "MPI_File fh, MPI_Offset offset, MPI_Offset *disp"),
    MpiFunction("File_get_errhandler", "MPI_File file, MPI_Errhandler *errhandler"),
    MpiFunction("File_get_group", "MPI_File fh, MPI_Group *group"),
    MpiFunction("File_get_info", "MPI_File fh, MPI_Info *info_used"),
    MpiFunction("File_get_position", "MPI_File fh, MPI_Offset *offset"),
    MpiFunction("File_get_position_shared", "MPI_File fh, MPI_Offset *offset"),
    MpiFunction("File_get_size", "MPI_File fh, MPI_Offset *size"),
    MpiFunction("File_get_type_extent", "MPI_File fh, MPI_Datatype datatype, A *extent"),
    MpiFunction(
        "File_get_view",
        "MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep",
    ),
    MpiFunction(
        "File_open",
        "MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh",
    ),
    MpiFunction("File_preallocate", "MPI_File fh, MPI_Offset size"),
    MpiFunction(
        "File_read",
        "MPI_File fh, void *buf, N count, MPI_Datatype datatype, MPI_Status *status",
        "read()",
        ("I",),
    ),
    MpiFunction(
        "File_read_all",
        "MPI_File fh, void *buf, N count, MPI_Datatype datatype, MPI_Status *status",
        "read_all()",
        ("I",),
    ),
    MpiFunction("File_read_all_begin", "MPI_File fh, void *buf, N count, MPI_Datatype datatype"),
    MpiFunction("File_read_all_end", "MPI_File fh, void *buf, MPI_Status *status", "read_all()"),
    MpiFunction(
        "File_read_at",
        "MPI_File fh, MPI_Offset offset, void *buf, N count, MPI_Datatype datatype, "
        "MPI_Status *status",
        "read()",
        ("I",),
    ),
    MpiFunction(
        "File_read_at_all",
        "MPI_File fh, MPI_Offset offset, void *buf, N count, MPI_Datatype datatype, "
        "MPI_Status *status",
        "read_all()",
        ("I",),
    ),
    MpiFunction(
        "File_read_at_all_begin",
        "MPI_File fh, MPI_Offset offset, void *buf, N count, MPI_Datatype datatype",
    ),
    MpiFunction("File_read_at_all_end", "MPI_File fh, void *buf, MPI_Status *status", "read_all()"),
    MpiFunction(
        "File_read_ordered",
        "MPI_File fh, void *buf, N count, MPI_Datatype datatype, MPI_Status *status",
        "read_all()",
    ),
    MpiFunction(
        "File_read_ordered_begin", "MPI_File fh, void *buf, N count, MPI_Datatype datatype"
    ),
    MpiFunction(
        "File_read_ordered_end", "MPI_File fh, void *buf, MPI_Status *status", "read_all()"
    ),
    MpiFunction(
        "File_read_shared",
        "MPI_File fh, void *buf, N count, MPI_Datatype datatype, MPI_Status *status",
        "read()",
        ("I",),
    ),
    MpiFunction("File_seek", "MPI_File fh, MPI_Offset offset, int whence"),
    MpiFunction("File_seek_shared", "MPI_File fh, MPI_Offset offset, int whence"),
    MpiFunction("File_set_atomicity", "MPI_File fh, int flag"),
    MpiFunction("File_set_errhandler", "MPI_File file, MPI_Errhandler errhandler"),
    MpiFunction("File_set_info", "MPI_File fh, MPI_Info info"),
    MpiFunction("File_set_size", "MPI_File fh, MPI_Offset size"),
    MpiFunction(
        "File_set_view",
        "MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype, "
        "const char *datarep, MPI_Info info",
    ),
    MpiFunction("File_sync", "MPI_File fh"),
    MpiFunction(
        "File_write",
        "MPI_File fh, const void *buf, N count, MPI_Datatype datatype, MPI_Status *status",
        "write()",
        ("I",),
    ),
    MpiFunction(
        "File_write_all",
        "MPI_File fh, const void *buf, N count, MPI_Datatype datatype, MPI_Status *status",
        "write_all()",
        ("I",),
    ),
    MpiFunction(
        "File_write_all_begin",
        "MPI_File fh, const void *buf, N count, MPI_Datatype datatype",
    ),
    MpiFunction(
        "File_write_all_end",
        "MPI_File fh, const void *buf, MPI_Status *status",
        "write_all()",
    ),
    MpiFunction(
        "File_write_at",
        "MPI_File fh, MPI_Offset offset, const void *buf, N count, MPI_Datatype datatype, "
        "MPI_Status *status",
        "write()",
        ("I",),
    ),
    MpiFunction(
        "File_write_at_all",
        "MPI_File fh, MPI_Offset offset, const void *buf, N count, MPI_Datatype datatype, "
        "MPI_Status *status",
        "write_all()",
        ("I",),
    ),
    MpiFunction(
        "File_write_at_all_begin",
        "MPI_File fh, MPI_Offset offset, const void *buf, N count, MPI_Datatype datatype",
    ),
    MpiFunction(
        "File_write_at_all_end",
        "MPI_File fh, const void *buf, MPI_Status *status",
        "write_all()",
    ),
    MpiFunction(
        "File_write_ordered",
        "MPI_File fh, const void *buf, N count, MPI_Datatype datatype, MPI_Status *status",
        "write_all()",
    ),
    MpiFunction(
        "File_write_ordered_begin",
        "MPI_File fh, const void *buf, N count, MPI_Datatype datatype",
    ),
    MpiFunction(
        "File_write_ordered_end",
        "MPI_File fh, const void *buf, MPI_Status *status",
        "write_all()",
    ),
    MpiFunction(
        "File_write_shared",
        "MPI_File fh, const void *buf, N count, MPI_Datatype datatype, MPI_Status *status",
        "write()",
        ("I",),
    ),
    MpiFunction(
        "Register_datarep",
        "const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn, "
        "MPI_Datarep_conversion_function *write_conversion_fn, "
        "MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state",
    ),
    MpiFunction(
        "Register_datarep_c",
        "const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn, "
        "MPI_Datarep_conversion_function_c *write_conversion_fn, "
        "MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state",
    ),
)
