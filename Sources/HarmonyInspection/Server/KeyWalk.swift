import Dispatch
import Harmony

/// Lists keys page after page for somebody who goes through all of them, at the cost of one look.
///
/// The first page is picked out of the keys, and so is any that does not follow the one before. Of
/// the second in a row all keys are put in order and kept for the pages that follow, for a few
/// seconds, as nobody says when he has seen enough.
final class KeyWalk: Sendable {
  private struct State {
    /// The last key of the page before, and the way that it went.
    var last: (key: String, isDescending: Bool)?
    /// All keys in order.
    var keys: [String]?
    var number = 0
  }

  /// How many seconds the keys are kept.
  private static let patience = 3.0

  private let state = Locked(State())

  /// The selected keys.
  ///
  /// - Parameters:
  ///   - selection: Which.
  ///   - list: Picks the selected ones out of the keys as they are now.
  /// - Returns: The keys, as they were a few seconds ago at most.
  func keys(_ selection: KeySelection, of list: (KeySelection) -> [String]) -> [String] {
    guard selection.limit != nil else { return list(selection) }
    let (isNext, known) = state.withLock { state in
      let isNext = state.last.map { last in
        selection.after?.utf8.elementsEqual(last.key.utf8) == true
          && selection.isDescending == last.isDescending
      }
      return (isNext ?? false, isNext == true ? state.keys : nil)
    }
    let all = known ?? (isNext ? list(KeySelection()) : nil)
    let page = all.map { selection.keys(of: $0) } ?? list(selection)
    keep(page, of: selection, all)
    return page
  }

  private func keep(_ page: [String], of selection: KeySelection, _ all: [String]?) {
    let isOver = page.count < selection.limit ?? 0
    let number = state.withLock { state in
      state.last = isOver ? nil : page.last.map { ($0, selection.isDescending) }
      state.keys = isOver ? nil : all
      state.number += 1
      return state.keys == nil ? nil : state.number
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
