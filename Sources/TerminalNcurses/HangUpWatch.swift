import Dispatch
import Glibc

/// Tells when a terminal goes away.
///
/// SIGHUP usually does, but may be ignored, and a Dispatch source whose terminal is gone is dropped
/// in silence. So a thread waits for it, asleep until then.
final class HangUpWatch: Sendable {
  /// The end of a pipe that keeps the thread waiting for as long as it is open.
  private let keepsWaiting: Int32

  /// Begins to watch; nil if the system refuses a pipe.
  ///
  /// `report` is called at most once, on a thread of its own.
  init?(_ descriptor: Int32, report: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (stopped, keepsWaiting) = (ends[0], ends[1])
    self.keepsWaiting = keepsWaiting
    DispatchQueue(label: "larder.hang-up").async {
      // No event is asked for: errors and hang-ups are reported all the same.
      var descriptors = [
        pollfd(fd: descriptor, events: 0, revents: 0),
        pollfd(fd: stopped, events: 0, revents: 0),
      ]
      while poll(&descriptors, 2, -1) < 0, errno == EINTR {}
      let isStopped = descriptors[1].revents != 0
      let isGone = descriptors[0].revents != 0
      close(stopped)
      if isGone, !isStopped { report() }
    }
  }

  deinit {
    close(keepsWaiting)
  }
}
