import LarderModel
import LarderFormats

/// An operation on the rows of a value that would take too long in the foreground.
package enum ValueJob: Sendable, Equatable {
  /// Lays out the rows.
  case layOut(keepingPlace: Bool, isFit: Bool)
  /// Finds the next or previous match of the search.
  case find(isForward: Bool, isFirst: Bool, height: Int)
  /// Folds or unfolds the selection.
  case toggle(height: Int)
  /// Expands the tree to a number of levels.
  case open(levels: Int, height: Int)
  /// Moves to the last row.
  case end(height: Int)

  /// Whether the user waits for the result.
  var isMove: Bool {
    if case .layOut = self { false } else { true }
  }
}

/// A job in progress.
struct RunningJob: Sendable, Equatable {
  /// The token of the effect.
  let token: Int
  /// The selection when the job began.
  let cursor: ListCursor
}

/// The result of a search.
package enum ValueFinding: Sendable, Equatable {
  case found(isAround: Bool)
  case nothing
}

extension ValueModel {
  /// Whether further keys for the value must wait for jobs in progress.
  package var isMoving: Bool { jobs.contains(where: \.isMove) }

  /// Adds a job to the queue.
  mutating func add(_ job: ValueJob) {
    // A queued job uses the width at the time it begins, so it need not be added twice.
    guard !jobs.dropFirst(running == nil ? 0 : 1).contains(job) else { return }
    jobs.append(job)
  }

  /// Cancels all jobs that the user waits for; returns whether there were any.
  mutating func stopMoving() -> Bool {
    guard isMoving else { return false }
    if jobs.first?.isMove == true { running = nil }
    jobs.removeAll(where: \.isMove)
    return true
  }

  /// Performs a job, on any thread.
  ///
  /// - Returns: The result of a search, or `nil` for other jobs.
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

  /// Applies the result of a job.
  mutating func receive(_ other: ValueModel) {
    guard let job = jobs.first, let running else { return }
    jobs.removeFirst()
    self.running = nil
    // If the user has moved in the meantime, the new position is kept.
    let isElsewhere = !job.isMove && cursor != running.cursor
    take(rowsOf: other, keeping: isElsewhere ? place : nil)
    fitAgain()
  }

  /// Replaces the rows with others of the same value, and the position unless one is to be kept.
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

  // MARK: Slow operations

  /// The maximum number of bytes of text that are processed in the foreground.
  private static let maximumText = 512 << 10
  /// The maximum number of bytes that are copied in the foreground.
  private static let maximumCopy = 8 << 20

  /// Returns whether laying out the rows would make keys wait.
  func isSlowToLayOut(isFit: Bool) -> Bool {
    guard let value = shown, let format else { return before?.isLarge == true }
    if before != nil, value.isLarge || before?.isLarge == true { return true }
    switch format {
    case ValueFormat.text.name, ValueFormat.hex.name, ValueFormat.image.name:
      if case .text(let offset)? = place, offset > Self.maximumText { return true }
      return !isFit && value.isLarger(than: Self.maximumCopy)
    case ValueFormat.record.name:
      // Only nested values are converted to text.
      return (value.memberCount ?? 0) > 2_000 || value.isNested && value.isLarge
    default:
      return reading != nil || value.memberCount != nil && value.isLarge
    }
  }

  /// Whether a search would make keys wait.
  var isSlowToSearch: Bool {
    switch content.body {
    case .tree(let tree): tree.root.isLarge
    case .text(let rows): rows.bytes.count > Self.maximumText
    case .bytes(let rows): rows.bytes.count > Self.maximumText
    case .lines: false
    }
  }

  /// Whether folding members of the tree would make keys wait.
  var isSlowToFold: Bool { tree?.root.isLarge == true }

  /// Whether moving to the last row would make keys wait.
  var isSlowToEnd: Bool {
    guard case .text(let rows) = content.body, !rows.isComplete else { return false }
    return rows.bytes.count - rows.offset(of: rows.count - 1) > Self.maximumText
  }
}

extension StoredValue {
  /// Whether processing the whole value takes a while.
  fileprivate var isLarge: Bool { isLarger(than: ValueFormat.maximumAtOnce) }

  /// Whether a member has members of its own.
  fileprivate var isNested: Bool {
    switch self {
    case .array(let values): values.contains { $0.memberCount != nil }
    case .dictionary(let fields), .record(let fields):
      fields.contains { $0.value.memberCount != nil }
    default: false
    }
  }
}
