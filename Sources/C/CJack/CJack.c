#define _GNU_SOURCE
#include "CJack.h"

#include "ProcessThread.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>

// Parts of jack/jack.h that the functions below need: types by their size, constants by value (JACK's interface is stable).
typedef struct client client;
typedef struct library_client library_client;
typedef struct port port;
enum { has_server_name = 0x04, has_load_name = 0x08, has_load_init = 0x10, has_session = 0x20 };

// MARK: - The library itself

/// It is in no scope of ours: ALSA's plugin has loaded it for itself alone.
static void *real(const char *name) {
  static _Atomic(void *) library;
  void *loaded = atomic_load(&library);
  if (!loaded) {
    loaded = dlopen("libjack.so.0", RTLD_NOW | RTLD_NOLOAD);
    if (!loaded) return NULL;
    atomic_store(&library, loaded);
  }
  return dlsym(loaded, name);
}

#define REAL(name, type) ((type)real(name))

// MARK: - Clients

/// Whoever opens a client gets the address of one of these, and not the library's own, which it gives out again once it has freed what
/// was there: another client would answer to it.
struct client {
  /// Null once the library has freed it.
  struct library_client *handle;
  unsigned number;
  /// Opened and not closed.
  int is_taken;
  struct process_thread process;
};
/// More than a process has: two for the aid, one for the stream.
static struct client clients[64];
enum { client_count = sizeof clients / sizeof *clients };
/// Number of the client that was opened last.
static atomic_uint opened;
/// Clients up to this number have lost their server.
static atomic_uint lost;
/// One call at a time: none is under way for a client that is freed.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

/// Called by the library on a thread of its own; takes no lock, for an opening may wait for that thread.
static void lose(void *unused) {
  (void)unused;
  atomic_store(&lost, atomic_load(&opened));
}

static void ignore(const char *message) { (void)message; }

/// True for a client whose server is there as far as anybody knows.
static int lives(const client *client) { return client->handle && client->number > atomic_load(&lost); }

static client *free_place(void) {
  for (int index = 0; index < client_count; index++)
    if (!clients[index].is_taken && !clients[index].handle) return &clients[index];
  return NULL;
}

/// Has the library free a client, as soon as nothing runs that uses it.
static int release(client *client) {
  int (*deactivate)(library_client *) = REAL("jack_deactivate", int (*)(library_client *));
  int (*close)(library_client *) = REAL("jack_client_close", int (*)(library_client *));
  if (!client->handle) return 0;
  deactivate(client->handle);
  if (!process_thread_end(&client->process)) return -1;
  int result = close(client->handle);
  client->handle = NULL;
  return result;
}

/// True when none is left of those that the library would free at the next opening whatever uses them: whose server has ended, and who
/// were closed while their thread ran.
static int release_lost(void) {
  int are_gone = 1;
  for (int index = 0; index < client_count; index++) {
    client *client = &clients[index];
    if (!client->handle || (client->is_taken && lives(client))) continue;
    release(client);
    are_gone = are_gone && !client->handle;
  }
  return are_gone;
}

// MARK: - In the library's place

void cjack_prepare(void) {
  void (*errors)(void (*)(const char *)) = REAL("jack_set_error_function", void (*)(void (*)(const char *)));
  void (*infos)(void (*)(const char *)) = REAL("jack_set_info_function", void (*)(void (*)(const char *)));
  void (*creator)(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)) =
      REAL("jack_set_thread_creator", void (*)(int (*)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *)));
  if (errors) errors(ignore);
  if (infos) infos(ignore);
  if (creator) creator(process_thread_create);
}

client *jack_client_open(const char *name, int options, int *status, ...) {
  void *more[4] = {NULL, NULL, NULL, NULL};
  int count = 0;
  va_list list;
  va_start(list, status);
  // In the order in which the library reads them.
  for (int option = has_server_name; option <= has_session; option <<= 1)
    if (options & option) more[count++] = va_arg(list, void *);
  va_end(list);
  library_client *(*open)(const char *, int, int *, ...) =
      REAL("jack_client_open", library_client *(*)(const char *, int, int *, ...));
  void (*on_shutdown)(library_client *, void (*)(void *), void *) =
      REAL("jack_on_shutdown", void (*)(library_client *, void (*)(void *), void *));
  if (!open || !on_shutdown) return NULL;
  pthread_mutex_lock(&turn);
  cjack_prepare();
  client *place = release_lost() ? free_place() : NULL;
  library_client *handle = place ? open(name, options, status, more[0], more[1], more[2], more[3]) : NULL;
  if (handle) {
    place->handle = handle;
    place->number = atomic_fetch_add(&opened, 1) + 1;
    place->is_taken = 1;
    on_shutdown(handle, lose, NULL);
  }
  pthread_mutex_unlock(&turn);
  return handle ? place : NULL;
}

int jack_client_close(client *client) {
  pthread_mutex_lock(&turn);
  int result = release(client);
  client->is_taken = 0;
  pthread_mutex_unlock(&turn);
  return result;
}

/// A call for a client, in turn; `otherwise` for one whose server has ended.
#define IN_TURN(result, otherwise, name, types, ...)                              \
  result(*call) types = REAL(name, result(*) types);                             \
  pthread_mutex_lock(&turn);                                                      \
  result value = call && lives(client) ? call(client->handle __VA_OPT__(, ) __VA_ARGS__) : otherwise; \
  pthread_mutex_unlock(&turn);                                                    \
  return value

int jack_set_process_callback(client *client, int (*process)(unsigned, void *), void *argument) {
  IN_TURN(int, -1, "jack_set_process_callback", (library_client *, int (*)(unsigned, void *), void *), process, argument);
}

int jack_activate(client *client) {
  int (*activate)(library_client *) = REAL("jack_activate", int (*)(library_client *));
  pthread_mutex_lock(&turn);
  process_thread_owner(&client->process);
  int result = activate && lives(client) ? activate(client->handle) : -1;
  process_thread_owner(NULL);
  pthread_mutex_unlock(&turn);
  return result;
}

int jack_deactivate(client *client) { IN_TURN(int, -1, "jack_deactivate", (library_client *)); }

unsigned jack_get_sample_rate(client *client) { IN_TURN(unsigned, 0, "jack_get_sample_rate", (library_client *)); }

unsigned jack_get_buffer_size(client *client) { IN_TURN(unsigned, 0, "jack_get_buffer_size", (library_client *)); }

int jack_connect(client *client, const char *from, const char *to) {
  IN_TURN(int, -1, "jack_connect", (library_client *, const char *, const char *), from, to);
}

port *jack_port_register(client *client, const char *name, const char *type, unsigned long flags, unsigned long size) {
  IN_TURN(port *, NULL, "jack_port_register",
          (library_client *, const char *, const char *, unsigned long, unsigned long), name, type, flags, size);
}
