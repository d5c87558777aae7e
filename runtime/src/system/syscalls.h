/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* System calls by their numbers.  ISO C leaves their names to the program: one that has a
 * function `read` of its own would be called in place of libc's. */
#ifndef POMP_SYSCALLS_H
#define POMP_SYSCALLS_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static inline int sys_open(const char *path, int flags, mode_t mode) {
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

static inline int sys_close(int fd) { return (int)syscall(SYS_close, fd); }

static inline ssize_t sys_read(int fd, void *buffer, size_t size) {
  return (ssize_t)syscall(SYS_read, fd, buffer, size);
}

static inline ssize_t sys_write(int fd, const void *buffer, size_t size) {
  return (ssize_t)syscall(SYS_write, fd, buffer, size);
}

static inline ssize_t sys_readlink(const char *path, char *buffer, size_t size) {
  return (ssize_t)syscall(SYS_readlinkat, AT_FDCWD, path, buffer, size);
}

static inline int sys_truncate(const char *path, off_t length) {
  return (int)syscall(SYS_truncate, path, length);
}

/* To a place that is mapped already.  UCX, which MPICH brings, has a function mremap that drops the
 * new place. */
static inline bool sys_remap(void *from, size_t size, void *to) {
  return syscall(SYS_mremap, from, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, to) == (long)to;
}

static inline int sys_mkdir(const char *path, mode_t mode) {
  return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

static inline bool sys_is_there(const char *path) {
  return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

static inline int sys_symlink(const char *target, const char *path) {
  return (int)syscall(SYS_symlinkat, target, AT_FDCWD, path);
}

static inline int sys_rmdir(const char *path) {
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR);
}

static inline int sys_unlink(const char *path) {
  return (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

/* Reads the entries of an open directory, in the kernel's format. */
static inline long sys_entries(int fd, void *buffer, size_t size) {
  return syscall(SYS_getdents64, fd, buffer, size);
}

static inline void sys_nap(uint64_t nanoseconds) {
  struct timespec nap = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
  syscall(SYS_nanosleep, &nap, NULL);
}

#endif
