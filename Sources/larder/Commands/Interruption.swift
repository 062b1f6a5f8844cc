import Dispatch
import Foundation
import Synchronization

/// The signal that has come, 0 for none.
private let received = Atomic<Int32>(0)
/// When the first one came, in nanoseconds of a clock that only runs.
private let receivedAt = Atomic<UInt64>(0)
/// Through which those who wait for something else hear of it; made once, before any signal.
private let pipeEnds: (reading: Int32, writing: Int32)? = {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}()
/// What is done when a signal comes, and what hears of it.
private let reaction = Mutex(Reaction())

private struct Reaction {
  var body: (@Sendable (Int32) -> Void)?
  var source: (any DispatchSourceRead)?
}

/// Ctrl-C and the wish of the system to end the process, while a long command can end in order.
///
/// The first one is noted; the next ends the process at once, as if nobody had listened. What follows
/// so closely that no person has sent it is the same one: `timeout` signals a process, then its group.
struct Interruption: Sendable {
  private static let signals = [SIGINT, SIGTERM]
  private let reading: Int32

  /// Listens from now on; nil where the system has no pipe left.
  init?() {
    guard let pipeEnds else { return nil }
    reading = pipeEnds.reading
    for number in Self.signals { Self.listen(to: number) }
  }

  /// The signal that has come, nil for none.
  var signal: Int32? {
    let number = received.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  /// Waits until a file can be read, or a signal comes, which is the result.
  func wait(for descriptor: Int32) -> Int32? {
    var files = [descriptor, reading].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&files, nfds_t(files.count), -1) < 0, errno == EINTR {}
    return signal
  }

  /// Does something as soon as a signal comes, on a thread of its own, in the place of what was to be
  /// done before; at once where one has come already.
  ///
  /// - Parameter body: What to do; nil for nothing.
  func react(_ body: (@Sendable (Int32) -> Void)?) {
    reaction.withLock { state in
      state.body = body
      guard state.source == nil, body != nil else { return }
      let source = DispatchSource.makeReadSource(
        fileDescriptor: reading, queue: DispatchQueue(label: "larder.interruption"))
      source.setEventHandler {
        // The byte stays for those who wait; it would be reported for ever.
        reaction.withLock { $0.source }?.cancel()
        Self.reactNow()
      }
      state.source = source
      source.resume()
    }
    if signal != nil { Self.reactNow() }
  }

  /// Leaves signals to the system again, which ends the process at one.
  func stopListening() {
    react(nil)
    for number in Self.signals where Self.isHeard(number) { Foundation.signal(number, SIG_DFL) }
  }

  private static func reactNow() {
    let number = received.load(ordering: .relaxed)
    guard number != 0 else { return }
    // Whoever comes first does it: the signal may come while somebody says what is to be done.
    let body = reaction.withLock { state in
      defer { state.body = nil }
      return state.body
    }
    body?(number)
  }

  /// The code that a signal ends the process with.
  static func code(of signal: Int32) -> ExitCode {
    signal == SIGTERM ? .terminated : .interrupted
  }

  /// Whether a signal is not ignored: a process in the background of a shell script is not meant to
  /// hear Ctrl-C.
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
      // Nothing else may be done here than what is safe at any moment.
      let error = errno
      defer { errno = error }
      let now = DispatchTime.now().uptimeNanoseconds
      // The next may come on another thread before this one has ended.
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

  /// How soon after a signal another one is the same, in nanoseconds.
  private static let echo: UInt64 = 300_000_000

  /// What `SIG_IGN` is, which is no function that could be compared.
  private static let ignored = 1
}
