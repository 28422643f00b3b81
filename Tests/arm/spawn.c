// Loaded into a program that qemu runs for another processor: what that starts of its own kind, such as itself for a test of how a
// process ends, is run by the same qemu, which the kernel does not know to do.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int spawn(pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *, char *const[], char *const[]);

// An ELF file for aarch64: e_machine is 183 (elf.h, EM_AARCH64), at byte 18.
static int is_ours(const char *path) {
  unsigned char head[20] = {0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t length = read(file, head, sizeof head);
  close(file);
  return length == sizeof head && memcmp(head, "\177ELF", 4) == 0 && head[18] == 183 && head[19] == 0;
}

int posix_spawn(pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                char *const arguments[], char *const environment[]) {
  spawn *next = (spawn *)dlsym(RTLD_NEXT, "posix_spawn");
  const char *emulator = getenv("AURICLE_EMULATOR");
  if (!emulator || !is_ours(path)) return next(process, path, actions, attributes, arguments, environment);
  size_t count = 0;
  while (arguments[count]) count++;
  const char **all = calloc(count + 4, sizeof *all);
  if (!all) return next(process, path, actions, attributes, arguments, environment);
  // -0: the name that the program sees as its own.
  all[0] = emulator, all[1] = "-0", all[2] = arguments[0] ? arguments[0] : path, all[3] = path;
  for (size_t i = 1; i < count; i++) all[3 + i] = arguments[i];
  int result = next(process, emulator, actions, attributes, (char *const *)all, environment);
  free(all);
  return result;
}
