import Dispatch
import Foundation
import Synchronization

/// The signal that has arrived; 0 for none.
private let received = Atomic<Int32>(0)
/// The arrival time of the first signal, in nanoseconds of the system's uptime.
private let receivedAt = Atomic<UInt64>(0)
/// A pipe that wakes up waiting threads, created before the first signal handler is installed.
private let pipeEnds: (reading: Int32, writing: Int32)? = {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}()
/// The action for a signal, and the source that triggers it.
private let reaction = Mutex(Reaction())

private struct Reaction {
  var body: (@Sendable (Int32) -> Void)?
  var source: (any DispatchSourceRead)?
}

/// Handles SIGINT and SIGTERM, so that a long command can end cleanly.
///
/// The first signal is recorded; a second one ends the process immediately, as by default. Signals
/// within 300 ms of the first count as the same one: `timeout` signals a process and then its
/// group.
struct Interruption: Sendable {
  private static let signals = [SIGINT, SIGTERM]
  private let reading: Int32

  /// Installs the signal handlers; nil if no pipe could be created.
  init?() {
    guard let pipeEnds else { return nil }
    reading = pipeEnds.reading
    for number in Self.signals { Self.listen(to: number) }
  }

  /// The signal that has arrived; nil for none.
  var signal: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Waits until a file is readable or a signal arrives, and returns the signal, if any.
  func wait(for descriptor: Int32) -> Int32? {
    var files = [descriptor, reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&files, nfds_t(files.count), -1) < 0, errno == EINTR {}
    return signal
  }

  /// Runs a closure on a separate thread when a signal arrives, or immediately if one already has.
  ///
  /// It replaces the closure of an earlier call, and runs at most once.
  ///
  /// - Parameter body: The closure; nil for none.
  func react(_ body: (@Sendable (Int32) -> Void)?) {
    reaction.withLock { state in
      state.body = body
      guard state.source == nil, body != nil else { return }
      let source = DispatchSource.makeReadSource(
        fileDescriptor: reading, queue: DispatchQueue(label: "larder.interruption"))
      source.setEventHandler {
        // The byte stays in the pipe for waiting threads, so the source would fire forever.
        reaction.withLock { $0.source }?.cancel()
        Self.reactNow()
      }
      state.source = source
      source.resume()
    }
    if signal != nil { Self.reactNow() }
  }

  /// Restores the default action for signals, which ends the process.
  func stopListening() {
    react(nil)
    for number in Self.signals where Self.isHeard(number) { Foundation.signal(number, SIG_DFL) }
  }

  private static func reactNow() {
    let number = received.load(ordering: .relaxed)
    guard number != 0 else { return }
    // Claimed under the lock: a signal can arrive while `react` is being called.
    let body = reaction.withLock { state in
      defer { state.body = nil }
      return state.body
    }
    body?(number)
  }

  /// Returns the exit code for a signal.
  static func code(of signal: Int32) -> ExitCode {
    signal == SIGTERM ? .terminated : .interrupted
  }

  /// Whether a signal is not ignored, as SIGINT is for the background processes of a shell script.
  private static func isHeard(_ number: Int32) -> Bool {
    var before = sigaction()
    return sigaction(number, nil, &before) == 0
      && unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != ignored
  }

  private static func listen(to number: Int32) {
    guard isHeard(number) else { return }
    var action = sigaction()
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART))
    action.__sigaction_handler.sa_handler = { number in
      // Only async-signal-safe calls are allowed here.
      let error = errno
      defer { errno = error }
      let now = DispatchTime.now().uptimeNanoseconds
      // Another signal can arrive on another thread before this handler returns.
      let (isFirst, first) = receivedAt.compareExchange(
        expected: 0, desired: now, ordering: .acquiringAndReleasing)
      guard isFirst else {
        guard now > first &+ Interruption.echo else { return }
        Foundation.signal(number, SIG_DFL)
        raise(number)
        return
      }
      received.store(number, ordering: .relaxed)
      guard let pipeEnds else { return }
      var byte: UInt8 = 0
      _ = write(pipeEnds.writing, &byte, 1)
    }
    sigaction(number, &action, nil)
  }

  /// The time after a signal within which another one counts as the same, in nanoseconds.
  private static let echo: UInt64 = 300_000_000

  /// The value of `SIG_IGN`, which is not a function that could be compared.
  private static let ignored = 1
}
