# What stands between ALSA's plugin and libjack frees no client that a thread still uses: tried with a libjack of our own that frees as
# jack2 1.9.21 does (common/JackClient.cpp, common/JackLibGlobals.h), under AddressSanitizer.
set -euo pipefail
source "$REPOSITORY/Tests/cli/daemon.bash"
bridge=$REPOSITORY/Sources/C/CJack

cat >library.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

typedef int creator(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
struct client {
  atomic_int is_active;
  int has_thread;
  pthread_t thread;
  void (*shutdown)(void *);
  void *argument;
};
/// What comes next: the server fails a client's thread (1), answers nobody (2), and that thread cannot even be cancelled (3).
atomic_int failure;
/// Clients, and what becomes of the last one at the next opening.
atomic_int count;
static struct client *left;
static atomic_int is_server_running = 1;
static creator *create = pthread_create;

static void *process(void *argument) {
  struct client *client = argument;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  while (!failure) usleep(1000);
  // Error(): no longer active, so that nobody waits for this thread; one more call to the server; and the news.
  if (failure == 3) pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
  client->is_active = 0;
  if (failure == 2) pause();
  sleep(failure == 3 ? 6 : 0);
  usleep(300000);
  is_server_running = 0;
  if (client->shutdown) client->shutdown(client->argument);
  return NULL;
}

int jack_deactivate(struct client *client) {
  if (!client->is_active) return 0;
  client->is_active = 0;
  pthread_cancel(client->thread);
  return pthread_join(client->thread, NULL);
}
int jack_client_close(struct client *client) {
  jack_deactivate(client);
  if (client == left) left = NULL;
  free(client);
  count--;
  return 0;
}
struct client *jack_client_open(const char *name, int options, int *status, ...) {
  if (!is_server_running && left) jack_client_close(left);
  is_server_running = 1;
  failure = 0;
  count++;
  return left = calloc(1, sizeof *left);
}
void jack_on_shutdown(struct client *client, void (*shutdown)(void *), void *argument) {
  client->shutdown = shutdown;
  client->argument = argument;
}
int jack_activate(struct client *client) {
  client->is_active = 1;
  return create(&client->thread, NULL, process, client);
}
void jack_set_thread_creator(creator *new_creator) { create = new_creator; }
C

cat >plugin.c <<'C'
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct client *jack_client_open(const char *, int, int *, ...);
int jack_activate(struct client *), jack_client_close(struct client *);

static atomic_int *failure, *count;
static struct client *opened(void) {
  struct client *client = jack_client_open("a", 0, NULL);
  if (client) jack_activate(client);
  return client;
}
static int expect(const char *what, int found, int expected) {
  if (found != expected) printf("%s: found %d, expected %d\n", what, found, expected);
  return found != expected;
}
int main(int arguments, char **argument) {
  void *library = dlopen("libjack.so.0", RTLD_NOW);
  failure = dlsym(library, "failure");
  count = dlsym(library, "count");
  struct client *client = opened(), *next;
  int wrong = 0;
  usleep(50000);
  if (!strcmp(argument[1], "closed")) {
    *failure = 1;
    usleep(50000);
    jack_client_close(client);
    wrong += expect("closed while its thread ends: clients", *count, 0);
  } else if (!strcmp(argument[1], "reopened")) {
    *failure = 1;
    usleep(600000);
    next = opened();
    wrong += expect("another opened: clients", *count, 1);
    wrong += expect("a call for the one that is gone", jack_activate(client), -1);
    jack_client_close(client);
    wrong += expect("the one that is gone closed: clients", *count, 1);
    jack_client_close(next);
    wrong += expect("both closed: clients", *count, 0);
  } else if (!strcmp(argument[1], "hangs")) {
    *failure = 2;
    usleep(50000);
    jack_client_close(client);
    wrong += expect("closed while its thread waits for ever: clients", *count, 0);
  } else {
    *failure = 3;
    usleep(50000);
    jack_client_close(client);
    wrong += expect("closed while its thread cannot be stopped: clients", *count, 1);
    sleep(3);
    next = opened();
    wrong += expect("once it has ended, another opened: clients", *count, 1);
    jack_client_close(next);
    wrong += expect("closed: clients", *count, 0);
  }
  usleep(500000);
  return wrong;
}
C
sanitized=(clang -g -fuse-ld=lld -fsanitize=address -fno-omit-frame-pointer -pthread)
"${sanitized[@]}" -shared -fPIC -Wl,-Bsymbolic -Wl,-soname,libjack.so.0 -o libjack.so.0 library.c
ln -s libjack.so.0 libjack.so
"${sanitized[@]}" -I"$bridge/include" -Wl,-rpath,"$PWD" -Wl,--export-dynamic-symbol='jack_*' -o bridged "$bridge"/*.c plugin.c -ldl
"${sanitized[@]}" -Wl,-rpath,"$PWD" -o alone plugin.c -L. -ljack -ldl

for case in closed reopened hangs cannot-be-stopped; do
  timeout 60 ./bridged "$case" >output 2>&1 || complain "$case: $(head -n 20 output)"
done
# The library alone has the faults that the bridge is for.
for case in closed reopened; do
  status=0
  timeout 60 ./alone "$case" >output 2>&1 || status=$?
  grep -q heap-use-after-free output || complain "$case, without the bridge: exit $status, expected a use of freed memory: $(head -n 5 output)"
done
