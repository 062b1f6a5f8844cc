import Foundation
import Synchronization

/// The signal that has come, 0 for none.
private let received = Atomic<Int32>(0)
/// Through which those who wait for something else hear of it; made once, before any signal.
private let pipeEnds: (reading: Int32, writing: Int32)? = {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { return nil }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}()

/// Ctrl-C and the wish of the system to end the process, while a long command can end in order.
///
/// The first one is noted; the next ends the process at once, as if nobody had listened.
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

  private static func listen(to number: Int32) {
    var before = sigaction()
    // A process in the background of a shell script is not meant to hear Ctrl-C.
    guard sigaction(number, nil, &before) == 0,
      unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) != Self.ignored
    else { return }
    var action = sigaction()
    action.sa_flags = Int32(bitPattern: UInt32(SA_RESTART)) | Int32(bitPattern: SA_RESETHAND)
    action.__sigaction_handler.sa_handler = { number in
      // Nothing else may be done here than what is safe at any moment.
      received.store(number, ordering: .relaxed)
      guard let pipeEnds else { return }
      let error = errno
      var byte: UInt8 = 0
      _ = write(pipeEnds.writing, &byte, 1)
      errno = error
    }
    sigaction(number, &action, nil)
  }

  /// What `SIG_IGN` is, which is no function that could be compared.
  private static let ignored = 1
}
