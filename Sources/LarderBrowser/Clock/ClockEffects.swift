package import Foundation
import Harmony
import LarderModel

extension EffectSlot {
  static let time = EffectSlot("time", isInBackground: true)
  static let tick = EffectSlot("tick", isInBackground: true)
}

/// Reports the current date, immediately or after one second.
package struct ReportDate: BrowserEffect {
  package let isWaited: Bool
  package var slot: EffectSlot? { isWaited ? .time : nil }

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    if isWaited, (try? await runner.environment.sleep(.seconds(1))) == nil { return }
    await reply(runner.environment.date())
  }

  package func receive(_ date: Date, in state: inout BrowserState) -> Effects {
    state.dateReported(date, isWaited: isWaited)
  }
}

/// Reports the time on the clock of the caches after one second.
package struct Tick: BrowserEffect {
  package var slot: EffectSlot? { .tick }

  package init() {}

  package func run(by runner: EffectRunner, reply: Replies<Self>) async {
    guard (try? await runner.environment.sleep(.seconds(1))) != nil else { return }
    await reply(runner.environment.clock.now)
  }

  package func receive(_ now: Duration, in state: inout BrowserState) -> Effects {
    state.ticked(now: now)
  }
}

extension BrowserState {
  /// Updates the current time, and schedules the next update while an expiry is on screen.
  mutating func dateReported(_ date: Date, isWaited: Bool) -> Effects {
    clock.time = date
    clock.isOld = false
    typedLine?[ExpiryModel.self]?.now = date
    if isWaited { clock.isCountingDown = false }
    if let state = keys?.times?.asked { return list(state, at: date) + countDown() }
    return countDown()
  }

  /// Keeps the time up to date while something on screen depends on it.
  mutating func countDown() -> Effects {
    let isTyping = typedLine?[ExpiryModel.self] != nil
    guard
      value?.entry.value?.expires != nil || areTimesCounting || areRowsCounting || isTyping
        || details?.expires != nil
    else {
      // Without a current time, expired entries in the list of times would not be shown as expired.
      if keys?.times == nil { clock.time = nil } else { clock.isOld = clock.time != nil }
      return []
    }
    guard clock.time != nil, !clock.isOld else { return [ReportDate(isWaited: false)] }
    guard !clock.isCountingDown else { return [] }
    clock.isCountingDown = true
    return [ReportDate(isWaited: true)]
  }
}
