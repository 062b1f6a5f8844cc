import Dispatch
import Harmony

/// Lists keys page after page for somebody who goes through all of them, at the cost of one look.
///
/// A page that does not follow one before is picked out of the keys as they are. Of one that does all
/// keys are put in order, and kept for the pages that follow, for a few seconds, as nobody says when
/// he has seen enough.
final class KeyWalk: Sendable {
  /// Where a page ended, and the way that it went.
  private struct End: Equatable {
    var key: [UInt8]
    var isDescending: Bool
  }

  private struct State {
    /// Where the last pages ended, the newest last: between two pages of one who goes through them
    /// somebody else may look, or he at something else.
    var ends: [End] = []
    /// All keys in order.
    var keys: [String]?
    var number = 0
  }

  /// How many seconds the keys are kept.
  private static let patience = 3.0
  /// How many ends of pages are remembered.
  private static let memory = 8

  private let state = Locked(State())

  /// The selected keys.
  ///
  /// - Parameters:
  ///   - selection: Which.
  ///   - list: Picks the selected ones out of the keys as they are now.
  /// - Returns: The keys, as they were a few seconds ago at most.
  func keys(_ selection: KeySelection, of list: (KeySelection) -> [String]) -> [String] {
    guard let limit = selection.limit else { return list(selection) }
    let start = selection.after.map {
      End(key: Array($0.utf8), isDescending: selection.isDescending)
    }
    let (isNext, known) = state.withLock { state in
      let isNext = start.map(state.ends.contains) ?? false
      return (isNext, isNext ? state.keys : nil)
    }
    let all = known ?? (isNext ? list(KeySelection()) : nil)
    let page = all.map { selection.keys(of: $0) } ?? list(selection)
    let end = page.last.map { End(key: Array($0.utf8), isDescending: selection.isDescending) }
    keep(all, start, page.count < limit ? nil : end)
    return page
  }

  /// Remembers where a page ended, and the keys where it was one of several.
  private func keep(_ all: [String]?, _ start: End?, _ end: End?) {
    let number = state.withLock { state -> Int? in
      if all != nil { state.ends.removeAll { $0 == start } }
      if let end { state.ends.append(end) }
      if state.ends.count > Self.memory { state.ends.removeFirst() }
      guard let all else { return nil }
      state.keys = end == nil ? nil : all
      state.number += 1
      return state.number
    }
    guard let number else { return }
    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.patience) {
      [weak self] in
      self?.forget(number)
    }
  }

  /// Lets go of the keys, unless they were needed since.
  private func forget(_ number: Int) {
    state.withLock { state in
      guard state.number == number else { return }
      state = State()
    }
  }
}
