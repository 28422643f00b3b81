// Tools of the guest, in C because they must be small and need no runtime:
//
//   tools bare CAPTURE PLAYBACK FORMAT RATE PERIOD PERIODS SECONDS
//                        the least that a program can do between microphone and earphones, to tell the emulation's faults
//                        from the daemon's; prints blocks, errors and the frames that the devices hold
//   tools world CARD FORMAT RATE SIGNAL RECORDING READY
//                        the air around the aid: plays SIGNAL (16 bits, two channels) on CARD and records from it into
//                        RECORDING (32 bits, two channels) until SIGTERM or the card has gone. Both are started as one, so that frame n of
//                        the recording was taken while frame n of the signal was played. READY is made once both run
//   tools hold DEVICE    holds the capture device until SIGTERM
//   tools hog MILLISECONDS
//                        computes above every other real-time thread
//   tools ordinary THREAD
//                        takes a thread's real-time priority away; without a thread of that number fails
//   tools scheduling THREAD
//                        prints a thread's policy, 0 for an ordinary one, 1 for SCHED_FIFO, and priority
//   tools fill           takes memory until the kernel ends it
//   tools state          prints the name of the daemon's state, as `auricle status --json` does, at a hundredth of its cost: waiting for
//                        a state asks fifty times a second
//   tools jack CARD NAME PLUGGED
//                        tells of a plug in a jack of a card, 1 or 0, as a driver of the kernel does; makes the jack where there is none
//   tools probe          tries what a sandbox forbids; a line for each, with the error or "allowed"
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ended;
static void end(int number) { (void)number; ended = 1; }

static void fail(const char *what, int code) {
  fprintf(stderr, "tools: %s: %s\n", what, snd_strerror(code));
  exit(75);
}

static void realtime(int priority) {
  struct sched_param parameter = {.sched_priority = priority};
  if (sched_setscheduler(0, SCHED_FIFO, &parameter)) perror("tools: no real time");
  mlockall(MCL_CURRENT | MCL_FUTURE);
}

// Exactly the format, rate and period; the buffer nearest.
static snd_pcm_t *open_pcm(const char *name, snd_pcm_stream_t direction, snd_pcm_format_t format, unsigned rate,
                           snd_pcm_uframes_t period, snd_pcm_uframes_t buffer, int stops) {
  snd_pcm_t *pcm;
  int code = snd_pcm_open(&pcm, name, direction, 0);
  if (code < 0) fail(name, code);
  snd_pcm_hw_params_t *hardware;
  snd_pcm_hw_params_alloca(&hardware);
  snd_pcm_hw_params_any(pcm, hardware);
  if ((code = snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED)) < 0 ||
      (code = snd_pcm_hw_params_set_format(pcm, hardware, format)) < 0 ||
      (code = snd_pcm_hw_params_set_channels(pcm, hardware, 2)) < 0 ||
      (code = snd_pcm_hw_params_set_rate(pcm, hardware, rate, 0)) < 0 ||
      (code = snd_pcm_hw_params_set_period_size_near(pcm, hardware, &period, 0)) < 0 ||
      (code = snd_pcm_hw_params_set_buffer_size_near(pcm, hardware, &buffer)) < 0 ||
      (code = snd_pcm_hw_params(pcm, hardware)) < 0)
    fail(name, code);
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  snd_pcm_uframes_t boundary;
  snd_pcm_sw_params_current(pcm, software);
  snd_pcm_sw_params_get_boundary(software, &boundary);
  snd_pcm_sw_params_set_start_threshold(pcm, software, boundary);
  if (!stops) snd_pcm_sw_params_set_stop_threshold(pcm, software, boundary);
  if ((code = snd_pcm_sw_params(pcm, software)) < 0) fail(name, code);
  return pcm;
}

static void begin(snd_pcm_t *capture, snd_pcm_t *playback, const void *silence, int period, int periods) {
  snd_pcm_drop(playback);
  snd_pcm_drop(capture);
  snd_pcm_prepare(capture);
  // Linked, the first has prepared both.
  if (snd_pcm_state(playback) != SND_PCM_STATE_PREPARED) snd_pcm_prepare(playback);
  for (int n = 0; n < periods; n++) snd_pcm_writei(playback, silence, period);
  snd_pcm_start(capture);
  if (snd_pcm_state(playback) != SND_PCM_STATE_RUNNING) snd_pcm_start(playback);
}

static int bare(char **arguments) {
  snd_pcm_format_t format = snd_pcm_format_value(arguments[2]);
  unsigned rate = atoi(arguments[3]);
  int period = atoi(arguments[4]), periods = atoi(arguments[5]);
  double seconds = atof(arguments[6]);
  snd_pcm_t *capture = open_pcm(arguments[0], SND_PCM_STREAM_CAPTURE, format, rate, period, 2 * periods * period, 1);
  snd_pcm_t *playback = open_pcm(arguments[1], SND_PCM_STREAM_PLAYBACK, format, rate, period, periods * period, 1);
  snd_pcm_link(capture, playback);
  size_t bytes = 2 * period * (size_t)snd_pcm_format_physical_width(format) / 8;
  char *block = calloc(1, bytes), *silence = calloc(1, bytes);
  realtime(70);
  begin(capture, playback, silence, period, periods);
  long blocks = 0, errors = 0, held = 0, count = (long)(seconds * rate / period);
  for (; blocks < count; blocks++) {
    long read = snd_pcm_readi(capture, block, period);
    long written = read > 0 ? snd_pcm_writei(playback, block, read) : read;
    if (read == -ENODEV || written == -ENODEV) fail("device", -ENODEV);
    if (read < 0 || written < 0) {
      errors++;
      begin(capture, playback, silence, period, periods);
    } else if (blocks == count / 2) {
      snd_pcm_sframes_t recorded = 0, played = 0;
      snd_pcm_delay(capture, &recorded);
      snd_pcm_delay(playback, &played);
      held = recorded + played;
    }
  }
  printf("{\"blocks\": %ld, \"errors\": %ld, \"held_frames\": %ld}\n", blocks, errors, held);
  return 0;
}

// One sample of 32 bits in the format, and back.
static void put(char *place, int bytes, int shift, int32_t sample) {
  sample >>= shift;
  memcpy(place, &sample, bytes);
}

static int32_t get(const char *place, int bytes, int shift) {
  uint32_t sample = 0;
  memcpy(&sample, place, bytes);
  return (int32_t)(sample << shift);
}

static int world(char **arguments) {
  const int part = 2400;
  snd_pcm_format_t format = snd_pcm_format_value(arguments[1]);
  int width = snd_pcm_format_width(format), bytes = snd_pcm_format_physical_width(format) / 8, shift = 32 - width;
  unsigned rate = atoi(arguments[2]);
  int signal_file = open(arguments[3], O_RDONLY);
  size_t size = lseek(signal_file, 0, SEEK_END);
  const int16_t *signal = mmap(0, size, PROT_READ, MAP_PRIVATE, signal_file, 0);
  FILE *recording = fopen(arguments[4], "w");
  if (signal == MAP_FAILED || !recording) { perror("tools: signal, recording"); return 66; }
  size_t frames = size / 4, next = 0;
  // So long that what halts the whole machine does not end it, and never stopped.
  snd_pcm_t *playback = open_pcm(arguments[0], SND_PCM_STREAM_PLAYBACK, format, rate, part, 20 * part, 0);
  snd_pcm_t *capture = open_pcm(arguments[0], SND_PCM_STREAM_CAPTURE, format, rate, part, 20 * part, 0);
  int code = snd_pcm_link(playback, capture);
  if (code < 0) fail("link", code);
  char *block = malloc((size_t)part * 2 * bytes);
  int32_t *recorded = malloc((size_t)part * 2 * 4);
  realtime(80);
  for (int n = 0;; n++) {
    for (int m = 0; m < 2 * part; m++) put(block + m * bytes, bytes, shift, (int32_t)signal[2 * next + m] << 16);
    next = (next + part) % (frames - frames % part);
    long done = snd_pcm_writei(playback, block, part);
    if (done < 0) break;
    if (n < 9) continue;
    if (n == 9) {
      if ((code = snd_pcm_start(playback)) < 0) fail("start", code);
      close(open(arguments[5], O_CREAT | O_WRONLY, 0644));
    }
    if ((done = snd_pcm_readi(capture, block, part)) < 0) break;
    for (int m = 0; m < 2 * done; m++) recorded[m] = get(block + m * bytes, bytes, shift);
    fwrite(recorded, 8, done, recording);
    fflush(recording);
    if (ended) break;
  }
  return 0;
}

static int hold(char **arguments) {
  snd_pcm_t *pcm;
  int code = snd_pcm_open(&pcm, arguments[0], SND_PCM_STREAM_CAPTURE, 0);
  if (code < 0) fail(arguments[0], code);
  while (!ended) pause();
  snd_pcm_close(pcm);
  return 0;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

static int hog(char **arguments) {
  realtime(90);
  double until = now() + atof(arguments[0]) / 1000;
  while (now() < until) {}
  return 0;
}

static int ordinary(char **arguments) {
  struct sched_param parameter = {.sched_priority = 0};
  if (!sched_setscheduler(atoi(arguments[0]), SCHED_OTHER, &parameter)) return 0;
  perror("tools: ordinary");
  return 71;
}

static int scheduling(char **arguments) {
  struct sched_param parameter;
  int policy = sched_getscheduler(atoi(arguments[0]));
  if (policy < 0 || sched_getparam(atoi(arguments[0]), &parameter)) { perror("tools: scheduling"); return 71; }
  printf("%d %d\n", policy & ~SCHED_RESET_ON_FORK, parameter.sched_priority);
  return 0;
}

static int fill(void) {
  for (;;) {
    char *memory = malloc(1 << 20);
    if (!memory) return 71;
    memset(memory, 1, 1 << 20);
  }
}

static int state(void) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  const char *path = getenv("AURICLE_SOCKET");
  if (!path || strlen(path) >= sizeof address.sun_path) return 64;
  strcpy(address.sun_path, path);
  int connection = socket(AF_UNIX, SOCK_STREAM, 0);
  if (connect(connection, (struct sockaddr *)&address, sizeof address) < 0) return 69;
  static const char request[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"status\"}\n";
  if (write(connection, request, sizeof request - 1) < 0) return 69;
  static char answer[1 << 18];
  size_t length = 0;
  ssize_t piece;
  while (!memchr(answer, '\n', length) && length < sizeof answer - 1 &&
         (piece = read(connection, answer + length, sizeof answer - 1 - length)) > 0)
    length += piece;
  char *place = strstr(answer, "\"state\":{"), *last;
  if (!place || !(place = strstr(place, "\"name\":\"")) || !(last = strchr(place += 8, '"'))) return 65;
  printf("%.*s\n", (int)(last - place), place);
  return 0;
}

static int jack(char **arguments) {
  snd_ctl_t *card;
  int code = snd_ctl_open(&card, arguments[0], 0);
  if (code < 0) fail(arguments[0], code);
  snd_ctl_elem_id_t *id;
  snd_ctl_elem_value_t *value;
  snd_ctl_elem_id_alloca(&id);
  snd_ctl_elem_value_alloca(&value);
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_CARD);
  snd_ctl_elem_id_set_name(id, arguments[1]);
  snd_ctl_elem_value_set_id(value, id);
  if (snd_ctl_elem_read(card, value) < 0 && (code = snd_ctl_elem_add_boolean(card, id, 1)) < 0) fail(arguments[1], code);
  snd_ctl_elem_value_set_boolean(value, 0, atoi(arguments[2]));
  if ((code = snd_ctl_elem_write(card, value)) < 0) fail(arguments[1], code);
  return 0;
}

static void tell(const char *what, long result) {
  printf("%s %s\n", what, result >= 0 ? "allowed" : strerrorname_np(errno));
  fflush(stdout);
}

static long opened(const char *path, int flags) {
  long file = open(path, flags, 0600);
  if (file >= 0) close(file);
  return file;
}

static int probe(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  struct sched_param parameter = {.sched_priority = 1};
  tell("mount", mount("none", "/mnt", "tmpfs", 0, 0));
  tell("clock", clock_settime(CLOCK_REALTIME, &time));
  tell("module", syscall(SYS_delete_module, "snd_nothing", O_NONBLOCK));
  tell("hostname", sethostname("guest", 5));
  tell("internet", socket(AF_INET, SOCK_STREAM, 0));
  tell("internet-6", socket(AF_INET6, SOCK_DGRAM, 0));
  tell("packets", socket(AF_PACKET, SOCK_RAW, 0));
  tell("local", socket(AF_UNIX, SOCK_STREAM, 0));
  tell("write-usr", opened("/usr/lib/probe", O_CREAT | O_WRONLY));
  tell("write-etc", opened("/etc/probe", O_CREAT | O_WRONLY));
  tell("write-home", opened("/root/probe", O_CREAT | O_WRONLY));
  tell("write-state", opened("/var/lib/auricle/probe", O_CREAT | O_WRONLY));
  tell("read-home", opened("/root/secret", O_RDONLY));
  tell("others-tmp", opened("/tmp/secret", O_RDONLY));
  tell("tunable", opened("/proc/sys/kernel/hostname", O_WRONLY));
  tell("kernel-log", opened("/dev/kmsg", O_RDONLY));
  tell("cgroup", mkdir("/sys/fs/cgroup/probe", 0755));
  // Nodes that everybody may open, of the job: a device of no sound card, and one of a card.
  tell("device", opened("/dev/probe", O_RDONLY | O_NONBLOCK));
  tell("sound", opened("/dev/snd/controlC0", O_RDWR | O_NONBLOCK));
  tell("cards", opened("/proc/asound/cards", O_RDONLY));
  tell("other-process", opened("/proc/1/cmdline", O_RDONLY));
  tell("writable-code", mmap(0, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
  tell("personality", personality(ADDR_NO_RANDOMIZE));
  tell("swap", syscall(SYS_swapon, "/nothing", 0));
  tell("trace", ptrace(PTRACE_TRACEME, 0, 0, 0));
  tell("set-user-id", mknod("/dev/shm/probe", S_IFREG | 04755, 0));
  tell("shared-memory", shm_open("/probe-memory", O_CREAT | O_RDWR, 0600));
  tell("lock-memory", mlockall(MCL_CURRENT));
  tell("real-time", sched_setscheduler(0, SCHED_FIFO, &parameter));
  // Last, for in its own a process has other rights.
  tell("namespace", unshare(CLONE_NEWUSER));
  return 0;
}

int main(int count, char **arguments) {
  struct sigaction action = {.sa_handler = end};
  sigaction(SIGTERM, &action, 0);
  const char *what = count > 1 ? arguments[1] : "";
  if (count == 9 && !strcmp(what, "bare")) return bare(arguments + 2);
  if (count == 8 && !strcmp(what, "world")) return world(arguments + 2);
  if (count == 3 && !strcmp(what, "hold")) return hold(arguments + 2);
  if (count == 3 && !strcmp(what, "hog")) return hog(arguments + 2);
  if (count == 3 && !strcmp(what, "ordinary")) return ordinary(arguments + 2);
  if (count == 3 && !strcmp(what, "scheduling")) return scheduling(arguments + 2);
  if (count == 2 && !strcmp(what, "fill")) return fill();
  if (count == 2 && !strcmp(what, "state")) return state();
  if (count == 5 && !strcmp(what, "jack")) return jack(arguments + 2);
  if (count == 2 && !strcmp(what, "probe")) return probe();
  fprintf(stderr, "usage: see the head of tools.c\n");
  return 64;
}
