import Dispatch
import Glibc

/// Detects that a terminal has been closed.
///
/// SIGHUP usually reports this, but it may be ignored, and a Dispatch source is canceled silently
/// when its terminal is closed. Therefore a thread blocks in `poll`.
final class HangUpWatch: Sendable {
  /// The end of a pipe whose closing stops the thread.
  private let keepsWaiting: Int32

  /// Starts watching a terminal; returns nil if a pipe cannot be created.
  ///
  /// `report` is called at most once, on a background thread.
  init?(_ descriptor: Int32, report: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let (stopped, keepsWaiting) = (ends[0], ends[1])
    self.keepsWaiting = keepsWaiting
    DispatchQueue(label: "larder.hang-up").async {
      // No events are requested: errors and hang-ups are always reported.
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
