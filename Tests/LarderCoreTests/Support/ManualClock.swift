import Harmony
import Synchronization

/// A clock that a test moves by hand.
final class ManualClock: CacheClock {
  private let time = Mutex(Duration.zero)

  var now: Duration { time.withLock { $0 } }

  func advance(by duration: Duration) {
    time.withLock { $0 += duration }
  }
}
