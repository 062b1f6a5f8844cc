#ifndef CN_SHIM_H
#define CN_SHIM_H

// The parts of ncurses that Swift cannot import (macros with casts, mutable globals), and signal
// handlers that restore the terminal, which have to be written in C to be async-signal-safe.

#define NCURSES_WIDECHAR 1
#include <ncursesw/curses.h>

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

static inline WINDOW *cn_stdscr(void) { return stdscr; }
static inline int cn_color_pairs(void) { return COLOR_PAIRS; }
static inline attr_t cn_a_bold(void) { return A_BOLD; }
static inline attr_t cn_a_dim(void) { return A_DIM; }
static inline attr_t cn_a_italic(void) { return A_ITALIC; }
static inline attr_t cn_a_underline(void) { return A_UNDERLINE; }
static inline attr_t cn_a_reverse(void) { return A_REVERSE; }
static inline int cn_key_function(int number) { return KEY_F(number); }
static inline int cn_wcwidth(wchar_t character) {
  extern int wcwidth(wchar_t);
  return wcwidth(character);
}

// The terminfo functions, declared here because <term.h> defines hundreds of macros with common
// names.
extern int setupterm(const char *, int, int *);
extern int tigetflag(const char *);
extern int tigetnum(const char *);
extern char *tigetstr(const char *);

// Looks up a terminal in terminfo: 1 if known, 0 if unknown or unusable, -1 without a database.
static inline int cn_setupterm(const char *name, int descriptor) {
  int result = 0;
  return setupterm(name, descriptor, &result) == 0 ? 1 : result == -1 ? -1 : 0;
}

// MARK: - The guard

// The process-wide state that a signal handler needs to restore the terminal.
//
// The functions below must be called from a single Swift file: in a header-only module, each object
// file that calls them has its own copy of the state.
struct cn_guard {
  volatile sig_atomic_t active;   // whether larder is using the terminal
  volatile sig_atomic_t ending;   // the signal that requested termination, or 0
  volatile sig_atomic_t hung_up;  // whether the terminal is gone; SIGHUP can arrive repeatedly
  int output;                     // the terminal
  int pipe;                       // the pipe for the numbers of signals
  int saved_error;                // the original standard error while it is captured, or -1
  int captured_error;             // the file that captures it, or -1
  int has_modes;
  struct termios modes;           // the original terminal modes
  size_t leave_length;
  char leave[512];                // the escape sequences that restore the terminal
  struct sigaction previous[NSIG];
};

static inline struct cn_guard *cn_guard(void) {
  static struct cn_guard guard = {.output = -1, .pipe = -1, .saved_error = -1,
                                  .captured_error = -1};
  return &guard;
}

static inline void cn_write_all(int descriptor, const char *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    bytes += written;
    count -= (size_t)written;
  }
}

// Restores standard error and writes up to 64 KiB of its captured output to it. Async-signal-safe.
static inline void cn_release_error(void) {
  struct cn_guard *guard = cn_guard();
  if (guard->saved_error < 0) return;
  dup2(guard->saved_error, STDERR_FILENO);
  off_t end = lseek(guard->captured_error, 0, SEEK_END);
  off_t place = end > 65536 ? end - 65536 : 0;
  char buffer[1024];
  while (place < end) {
    ssize_t count = pread(guard->captured_error, buffer, sizeof buffer, place);
    if (count <= 0) break;
    cn_write_all(STDERR_FILENO, buffer, (size_t)count);
    place += count;
  }
  close(guard->saved_error);
  close(guard->captured_error);
  guard->saved_error = -1;
  guard->captured_error = -1;
}

// Restores the terminal from a signal handler, once. Async-signal-safe.
static inline void cn_guard_restore(void) {
  struct cn_guard *guard = cn_guard();
  if (!guard->active) return;
  guard->active = 0;
  cn_write_all(guard->output, guard->leave, guard->leave_length);
  if (guard->has_modes) {
    // A background process that changes the modes would be stopped by SIGTTOU.
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    tcsetattr(guard->output, TCSANOW, &guard->modes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
  }
  cn_release_error();
}

// Raises a signal in this thread even if it is blocked, as it is in Dispatch worker threads.
static inline void cn_raise(int number) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
  raise(number);
}

static void cn_tell(int number) {
  int saved = errno;
  char byte = (char)number;
  ssize_t ignored = write(cn_guard()->pipe, &byte, 1);
  (void)ignored;
  errno = saved;
}

// Handles a resize, a stop or a continuation by notifying the main actor.
static void cn_on_notice(int number) { cn_tell(number); }

// Handles a request for termination: the program has five seconds to exit cleanly.
static void cn_on_ending(int number) {
  struct cn_guard *guard = cn_guard();
  if (number == SIGHUP) {
    int is_known = guard->hung_up || guard->ending != 0;
    guard->hung_up = 1;
    if (is_known) return;
  }
  if (guard->ending == 0 && number != SIGALRM) {
    guard->ending = number;
    cn_tell(number);
    alarm(5);
    return;
  }
  cn_guard_restore();
  int last = number == SIGALRM && guard->ending != 0 ? guard->ending : number;
  signal(last, SIG_DFL);
  cn_raise(last);
}

// Handles a fatal error: restores the terminal before the process dies.
static void cn_on_fault(int number, siginfo_t *information, void *context) {
  (void)context;
  cn_guard_restore();
  sigaction(number, &cn_guard()->previous[number], NULL);
  // A hardware fault recurs on return; a signal sent by a process does not.
  if (information->si_code <= 0) cn_raise(number);
}

static const int cn_notices[] = {SIGWINCH, SIGTSTP, SIGCONT};
static const int cn_endings[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM};
static const int cn_faults[] = {SIGILL, SIGTRAP, SIGSEGV, SIGABRT, SIGBUS, SIGFPE};

static inline void cn_handle(int number, struct sigaction *action) {
  sigaction(number, action, &cn_guard()->previous[number]);
}

// Records the terminal modes; must be called before they are changed.
static inline void cn_guard_note_modes(int output) {
  struct cn_guard *guard = cn_guard();
  guard->output = output;
  guard->has_modes = tcgetattr(output, &guard->modes) == 0;
}

// Installs the signal handlers. `captured` is a file to capture standard error, or -1 for none.
static inline void cn_guard_begin(int pipe, const char *leave, size_t length, int captured) {
  struct cn_guard *guard = cn_guard();
  if (guard->active) return;
  guard->pipe = pipe;
  guard->leave_length = length < sizeof guard->leave ? length : 0;
  memcpy(guard->leave, leave, guard->leave_length);
  guard->ending = 0;
  if (captured >= 0) {
    guard->saved_error = dup(STDERR_FILENO);
    guard->captured_error = captured;
    if (guard->saved_error < 0) {
      close(captured);
      guard->captured_error = -1;
    } else {
      dup2(captured, STDERR_FILENO);
    }
  }
  guard->active = 1;
  guard->hung_up = 0;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  action.sa_handler = cn_on_notice;
  for (size_t i = 0; i < sizeof cn_notices / sizeof *cn_notices; i++)
    cn_handle(cn_notices[i], &action);
  action.sa_handler = cn_on_ending;
  for (size_t i = 0; i < sizeof cn_endings / sizeof *cn_endings; i++)
    cn_handle(cn_endings[i], &action);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = cn_on_fault;
  for (size_t i = 0; i < sizeof cn_faults / sizeof *cn_faults; i++)
    cn_handle(cn_faults[i], &action);
}

// Removes the signal handlers; the caller restores the terminal.
static inline void cn_guard_end(void) {
  struct cn_guard *guard = cn_guard();
  if (!guard->active) return;
  guard->active = 0;
  if (guard->ending != 0) alarm(0);
  for (size_t i = 0; i < sizeof cn_notices / sizeof *cn_notices; i++)
    sigaction(cn_notices[i], &guard->previous[cn_notices[i]], NULL);
  // A closing terminal can send SIGHUP twice, the second time when the session leader exits.
  if (guard->hung_up) guard->previous[SIGHUP].sa_handler = SIG_IGN;
  for (size_t i = 0; i < sizeof cn_endings / sizeof *cn_endings; i++)
    sigaction(cn_endings[i], &guard->previous[cn_endings[i]], NULL);
  for (size_t i = 0; i < sizeof cn_faults / sizeof *cn_faults; i++)
    sigaction(cn_faults[i], &guard->previous[cn_faults[i]], NULL);
}

// Records that the terminal is gone, so that a further SIGHUP does not end the program before it
// has saved unsaved text.
static inline void cn_guard_note_hang_up(void) { cn_guard()->hung_up = 1; }

// Stops the process group as Ctrl-Z does, and returns when it is continued.
static inline void cn_stop_process(void) {
  // Stop the rest of the group first. This process ignores that signal, so that it stops exactly
  // below.
  signal(SIGTSTP, SIG_IGN);
  kill(0, SIGTSTP);
  signal(SIGTSTP, SIG_DFL);
  cn_raise(SIGTSTP);
}

// Installs an alternate signal stack for this thread, so that a stack overflow can be handled.
//
// All threads share its memory, because the first fault ends the process.
static inline void cn_use_signal_stack(void) {
  static char memory[65536];
  stack_t stack;
  if (sigaltstack(NULL, &stack) != 0 || !(stack.ss_flags & SS_DISABLE)) return;
  memset(&stack, 0, sizeof stack);
  stack.ss_sp = memory;
  stack.ss_size = sizeof memory;
  sigaltstack(&stack, NULL);
}

#endif
