/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "served.h"

#include "process_state.h"
#include "text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum { MOST_FILES = 200, WORD = 8 };

extern char **environ;

static const int forwarded[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
static int server = -1;

static void append_folder(struct text *path) {
  const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (base && *base == '/')
    text_print(path, "%s/pomp-clang", base);
  else if (home && *home == '/')
    text_print(path, "%s/.cache/pomp-clang", home);
}

/* True if only this user can write there. */
static bool is_private(const char *folder) {
  struct stat status;
  return lstat(folder, &status) == 0 && S_ISDIR(status.st_mode) && !(status.st_mode & 022) &&
         status.st_uid == getuid();
}

/* A path as one name: `_hint_name` of driver/compiler/cache.py. */
static void append_name(struct text *name, const char *path) {
  for (; *path; path++)
    if (*path == '/')
      text_append(name, "%-", 2);
    else if (*path == '%')
      text_append(name, "%%", 2);
    else
      text_append(name, path, 1);
}

/* The libclang last used with a compiler: `hint` of driver/compiler/cache.py. Returns false if
 * there is none, or the compiler has changed. */
static bool append_hint(struct text *hint, const char *program) {
  struct text path = {0}, content = {0}, stamp = {0};
  struct stat status;
  append_folder(&path);
  if (path.failed || !path.bytes || !is_private(path.bytes) || stat(program, &status) != 0)
    return false;
  text_append(&path, "/", 1);
  append_name(&path, program);
  text_append(&path, ".hint", 5);
  text_print(&stamp, "['%s', %jd, %jd]\n", program, (intmax_t)status.st_size,
             (intmax_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec);
  if (path.failed || stamp.failed || !text_append_file(&content, path.bytes) || content.failed ||
      content.size < stamp.size || memcmp(content.bytes, stamp.bytes, stamp.size))
    return false;
  text_append(hint, content.bytes + stamp.size, content.size - stamp.size);
  return !hint->failed;
}

/* CRC-32 of zlib, as Python's binascii has it. */
static uint32_t checksum(const struct text *text) {
  uint32_t sum = UINT32_MAX;
  for (size_t i = 0; i < text->size; i++) {
    sum ^= (unsigned char)text->bytes[i];
    for (int bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (sum & 1 ? UINT32_C(0xedb88320) : 0);
  }
  return ~sum;
}

/* False: there is no server, or another user's. */
static bool reach(const struct text *state) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int size = snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "pomp-clang-%d-%08" PRIx32,
                      (int)getuid(), checksum(state));
  socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)size);
  server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0 || connect(server, (struct sockaddr *)&address, length) != 0)
    return false;
  struct ucred peer;
  socklen_t of_peer = sizeof peer;
  return getsockopt(server, SOL_SOCKET, SO_PEERCRED, &peer, &of_peer) == 0 && peer.uid == getuid();
}

static int by_number(const void *left, const void *right) {
  return *(const int *)left - *(const int *)right;
}

/* Returns the number of files that a program would inherit, or -1 for too many. */
static int inherited_files(int files[MOST_FILES]) {
  int count = 0;
  DIR *listing = opendir("/proc/self/fd");
  for (struct dirent *entry; listing && (entry = readdir(listing));) {
    int number = atoi(entry->d_name), flags = -1;
    if (*entry->d_name != '.' && number != dirfd(listing))
      flags = fcntl(number, F_GETFD);
    if (flags < 0 || flags & FD_CLOEXEC)
      continue;
    if (count == MOST_FILES) {
      count = -1;
      break;
    }
    files[count++] = number;
  }
  if (!listing)
    return -1;
  closedir(listing);
  if (count > 0)
    qsort(files, (size_t)count, sizeof *files, by_number);
  return count;
}

static bool sent(const void *bytes, size_t size) {
  for (const char *at = bytes; size;) {
    ssize_t part = send(server, at, size, MSG_NOSIGNAL);
    if (part < 0 && errno != EINTR)
      return false;
    if (part > 0)
      at += part, size -= (size_t)part;
  }
  return true;
}

static bool received(void *bytes, size_t size) {
  for (char *at = bytes; size;) {
    ssize_t part = recv(server, at, size, 0);
    if (part == 0 || (part < 0 && errno != EINTR))
      return false;
    if (part > 0)
      at += part, size -= (size_t)part;
  }
  return true;
}

/* Sends the length of the message, with the files beside it. */
static bool sent_with_files(uint64_t length, const int *files, size_t count) {
  union {
    char space[CMSG_SPACE((MOST_FILES + 1) * sizeof(int))];
    struct cmsghdr aligned;
  } control;
  struct iovec part = {&length, WORD};
  struct msghdr message = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = &control,
                           .msg_controllen = CMSG_SPACE(count * sizeof *files)};
  memset(&control, 0, sizeof control);
  struct cmsghdr *rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(count * sizeof *files);
  memcpy(CMSG_DATA(rights), files, count * sizeof *files);
  return sendmsg(server, &message, MSG_NOSIGNAL) == WORD;
}

static void append_strings(struct text *body, char **strings) {
  for (; *strings; strings++) {
    text_append(body, "", 1);
    text_print(body, "%s", *strings);
  }
}

static bool sent_request(const struct text *state, char **arguments, const char *home) {
  int files[MOST_FILES + 1];
  int count = inherited_files(files + 1);
  files[0] = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  int words = 0;
  while (arguments[words])
    words++;
  if (count < 0 || files[0] < 0)
    return false;
  struct text body = {0};
  text_print(&body, "%zu", state->size);
  text_append(&body, "", 1);
  text_append(&body, state->bytes, state->size);
  text_append(&body, "", 1);
  text_print(&body, "%d", words);
  text_append(&body, "", 1);
  text_print(&body, "%s/pomp-clang", home);
  append_strings(&body, arguments + 1);
  text_append(&body, "", 1);
  for (int i = 1; i <= count; i++)
    text_print(&body, "%s%d", i > 1 ? "," : "", files[i]);
  append_strings(&body, environ);
  bool is_sent = !body.failed && sent_with_files(body.size, files, (size_t)count + 1) &&
                 sent(body.bytes, body.size);
  close(files[0]);
  free(body.bytes);
  return is_sent;
}

static void forward(int number) {
  int error = errno;
  char byte = (char)number;
  (void)!send(server, &byte, 1, MSG_NOSIGNAL);
  errno = error;
}

/* The next answer's kind, or 0 if there is none. */
static char answered(int64_t *value) {
  char answer[1 + WORD];
  if (!received(answer, sizeof answer))
    return 0;
  memcpy(value, answer + 1, WORD);
  return *answer;
}

static bool waited(int *status) {
  int64_t process, value;
  if (answered(&process) != 'P')
    return false;
  if (answered(&value) == 'S') {
    *status = (int)value;
    return true;
  }
  /* The server has ended: without it the process may go on, or be lost. */
  kill((pid_t)-process, SIGKILL);
  return false;
}

bool served(const struct command *command, char **arguments, const char *home, int *status) {
  struct text libclang = {0}, state = {0};
  if (!append_hint(&libclang, command->program) ||
      !process_state(&state, home, libclang.bytes ? libclang.bytes : "") || !reach(&state) ||
      !sent_request(&state, arguments, home))
    return false;
  struct sigaction before[sizeof forwarded / sizeof *forwarded];
  for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++) {
    struct sigaction handler = {.sa_handler = forward};
    sigaction(forwarded[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN)
      sigaction(forwarded[i], &handler, NULL);
  }
  bool is_done = waited(status);
  for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
    sigaction(forwarded[i], &before[i], NULL);
  return is_done;
}
