import Harmony
import Synchronization

/// A clock that the test advances, and the tasks that sleep on it.
final class ManualClock: CacheClock {
  private struct Sleeper {
    let deadline: Duration
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Duration.zero
    var sleepers: [Sleeper] = []
  }

  private let state = Mutex(State())

  var now: Duration { state.withLock { $0.now } }

  /// Whether a task is sleeping.
  var hasSleeper: Bool { state.withLock { !$0.sleepers.isEmpty } }

  /// Suspends until the clock has advanced by a duration.
  func sleep(for duration: Duration) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.sleepers.append(
          Sleeper(deadline: state.now + duration, continuation: continuation))
      }
    }
  }

  /// Advances the clock and wakes the sleepers that are due; returns whether there were any.
  @discardableResult
  func advance(by duration: Duration) -> Bool {
    let woken = state.withLock { state in
      state.now += duration
      let now = state.now
      let woken = state.sleepers.filter { $0.deadline <= now }
      state.sleepers.removeAll { $0.deadline <= now }
      return woken
    }
    for sleeper in woken { sleeper.continuation.resume() }
    return !woken.isEmpty
  }

  /// Wakes all sleepers.
  func stop() {
    let woken = state.withLock { state in
      defer { state.sleepers = [] }
      return state.sleepers
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }
}
