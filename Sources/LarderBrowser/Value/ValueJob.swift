import LarderModel
import LarderFormats

/// Something to be done with the rows of a value that takes too long for keys to wait for it.
package enum ValueJob: Sendable, Equatable {
  /// The rows are to be made.
  case layOut(keepingPlace: Bool, isFit: Bool)
  /// The next place, or the previous one, is to be found where the text is that is looked for.
  case find(isForward: Bool, isFirst: Bool, height: Int)
  /// What is selected is to be folded or unfolded.
  case toggle(height: Int)
  /// So many levels are to be open.
  case open(levels: Int, height: Int)
  /// The last row is to be shown.
  case end(height: Int)

  /// Whether somebody waits to see what it does.
  var isMove: Bool {
    if case .layOut = self { false } else { true }
  }
}

/// A job that is under way.
struct RunningJob: Sendable, Equatable {
  /// The token of the effect.
  let token: Int
  /// Where the user was when it began.
  let cursor: ListCursor
}

/// What a search has come to.
package enum ValueFinding: Sendable, Equatable {
  case found(isAround: Bool)
  case nothing
}

extension ValueModel {
  /// Whether what is typed for the value has to wait for what was typed before.
  package var isMoving: Bool { jobs.contains(where: \.isMove) }

  /// Has something done, after what is being done.
  mutating func add(_ job: ValueJob) {
    // What is not begun yet is made at the width there is then.
    guard !jobs.dropFirst(running == nil ? 0 : 1).contains(job) else { return }
    jobs.append(job)
  }

  /// Does nothing more of what was to be done with the value; false where there was nothing.
  mutating func stopMoving() -> Bool {
    guard isMoving else { return false }
    if jobs.first?.isMove == true { running = nil }
    jobs.removeAll(where: \.isMove)
    return true
  }

  /// Does a job, on whatever thread.
  ///
  /// - Returns: What a search has come to; nil where it was none, or nobody waits for it.
  mutating func perform(
    _ job: ValueJob, isCancelled: @escaping () -> Bool = { false }
  ) -> ValueFinding? {
    switch job {
    case .layOut(let keepingPlace, let isFit):
      layOutNow(keepingPlace: keepingPlace, isFit: isFit)
    case .find(let isForward, let isFirst, let height):
      let isAround = findNow(
        isForward: isForward, isFirst: isFirst, height: height, isCancelled: isCancelled)
      return isAround.map { .found(isAround: $0) } ?? .nothing
    case .toggle(let height): toggleNow(height: height)
    case .open(let levels, let height): openNow(levels: levels, height: height)
    case .end(let height): move(by: .max >> 8, height: height)
    }
    return nil
  }

  /// Takes in what a job has made of the value.
  mutating func receive(_ other: ValueModel) {
    guard let job = jobs.first, let running else { return }
    jobs.removeFirst()
    self.running = nil
    // Whoever has moved on meanwhile stays there.
    let isElsewhere = !job.isMove && cursor != running.cursor
    take(rowsOf: other, keeping: isElsewhere ? place : nil)
    fitAgain()
  }

  /// Takes the rows that were made of the same value, and the place in them unless one is to be kept.
  mutating func take(rowsOf other: ValueModel, keeping place: Place?) {
    let old = content
    content = other.content
    rowsWidth = other.rowsWidth
    foundPlace = other.foundPlace
    version = max(version, other.version) + 1
    if let place {
      go(to: place, of: old)
    } else {
      cursor = other.cursor
      byte = other.byte
    }
    extend()
    byte = max(0, min(byte, byteCount - 1))
  }

  // MARK: What is slow

  /// The maximum number of bytes of text that are gone through while the screen waits.
  private static let maximumText = 512 << 10
  /// The maximum number of bytes that are copied while the screen waits.
  private static let maximumCopy = 8 << 20

  /// Whether keys would wait for the rows to be made.
  func isSlowToLayOut(isFit: Bool) -> Bool {
    guard let value = shown, let format else { return before?.isLarge == true }
    if before != nil, value.isLarge || before?.isLarge == true { return true }
    switch format {
    case ValueFormat.text.name, ValueFormat.hex.name, ValueFormat.image.name:
      if case .text(let offset)? = place, offset > Self.maximumText { return true }
      return !isFit && value.isLarger(than: Self.maximumCopy)
    case ValueFormat.record.name:
      // Only what is nested is written out.
      return (value.memberCount ?? 0) > 2_000 || value.isNested && value.isLarge
    default:
      return reading != nil || value.memberCount != nil && value.isLarge
    }
  }

  /// Whether keys would wait for a search.
  var isSlowToSearch: Bool {
    switch content.body {
    case .tree(let tree): tree.root.isLarge
    case .text(let rows): rows.bytes.count > Self.maximumText
    case .bytes(let rows): rows.bytes.count > Self.maximumText
    case .lines: false
    }
  }

  /// Whether keys would wait for the members of the tree to be folded.
  var isSlowToFold: Bool { tree?.root.isLarge == true }

  /// Whether keys would wait for the last row.
  var isSlowToEnd: Bool {
    guard case .text(let rows) = content.body, !rows.isComplete else { return false }
    return rows.bytes.count - rows.offset(of: rows.count - 1) > Self.maximumText
  }
}

extension StoredValue {
  /// Whether it takes a while to go through all of the value.
  fileprivate var isLarge: Bool { isLarger(than: ValueFormat.maximumAtOnce) }

  /// Whether a member has members.
  fileprivate var isNested: Bool {
    switch self {
    case .array(let values): values.contains { $0.memberCount != nil }
    case .dictionary(let fields), .record(let fields):
      fields.contains { $0.value.memberCount != nil }
    default: false
    }
  }
}
