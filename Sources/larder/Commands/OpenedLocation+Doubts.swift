import Foundation
import LarderModel

extension OpenedLocation {
  /// What was assumed of when entries expire, and may be otherwise: whoever deletes what has
  /// expired has to know it.
  private var doubts: [String] { expiry?.doubts ?? [] }

  private var expiry: CollectionExpiry? {
    let name = store.location.collection
    let collection = open.collections.first { $0.name == name || open.collections.count == 1 }
    return collection?.expiry
  }

  /// Refuses to take a column for the expiry that may be a date of what entries are about, or in another
  /// unit: to choose entries by it, or to write it.
  ///
  /// - Parameter outcome: What became of it, as a clause.
  /// - Throws: `Failure` that says so, and how a user says otherwise.
  func checkDoubt(_ outcome: String) throws {
    if let doubt = doubt(outcome) { throw Failure(.refused, doubt) }
  }

  /// Refuses to choose entries by when they end, where that may be a date of what they are about or in
  /// another unit, and says where nothing of that is known.
  ///
  /// - Parameters:
  ///   - outcome: What became of it, as a clause.
  ///   - isToDelete: Whether they are chosen to be deleted: then the zone of their times has to be known.
  /// - Throws: `Failure` that says so, and how a user says otherwise.
  func checkCertainty(_ outcome: String, isToDelete: Bool = false) throws {
    if !store.capabilities.contains(.expiry) {
      Output.complain("\(unknownExpiry). \(expiryAdvice)")
    }
    try checkDoubt(outcome)
    if isToDelete, let doubt = expiry?.zoneDoubt {
      throw Failure(
        .refused,
        "\(doubt); \(outcome). Add --expires-zone UTC, local or a name such as Europe/Berlin")
    }
  }

  /// Says in which zone the times were read, where that was assumed.
  func complainOfZone() {
    if let doubt = expiry?.zoneDoubt { Output.complain("\(doubt); --expires-zone tells another") }
  }

  /// That ends may be dates of what entries are about, or in another unit, and how a user settles that;
  /// nil where they are ends.
  ///
  /// - Parameter outcome: What became of what was asked for, as a clause.
  /// - Returns: A sentence without its end.
  func doubt(_ outcome: String) -> String? {
    expiry.flatMap { expiry in
      guard let doubt = expiry.doubt, let remedy = expiry.remedy else { return nil }
      return "\(doubt); \(outcome). If \(expiry.column) is the expiry, in "
        + "\(expiry.lifetime?.spoken ?? expiry.unit.spoken), add \(remedy)"
    }
  }

  /// The same as the rest of a question.
  var spokenDoubts: String { doubts.map { " Note that \($0)." }.joined() }

  /// Says the same beside what is printed, and how a user settles it.
  func complainOfDoubts() {
    guard let expiry, !expiry.doubts.isEmpty else { return }
    let zone = expiry.zoneDoubt == nil ? nil : "--expires-zone ZONE"
    let options = [expiry.remedy, zone].compactMap(\.self).joined(separator: " ")
    Output.complain(
      expiry.doubts.joined(separator: "; ") + (options.isEmpty ? "" : "; \(options) settles it"))
  }

  /// That entries got another expiry than was asked for, as their store holds whole minutes or days, say; nil
  /// where all are as asked.
  ///
  /// - Parameters:
  ///   - written: The entries, as they are stored now.
  ///   - asked: The expiry that was asked for, of each; nil for never.
  /// - Returns: A sentence without its end.
  func rounding(_ written: [Entry], from asked: [Date?]) -> String? {
    let rounded = zip(written, asked).compactMap {
      entry, asked -> (key: EntryKey, end: Date, isLater: Bool)? in
      guard let end = entry.expires, let asked, abs(end.timeIntervalSince(asked)) >= 1 else {
        return nil
      }
      return (entry.key, end, end > asked)
    }
    guard let first = rounded.first else { return nil }
    let others = rounded.count == 1 ? "" : "; \(rounded.count - 1) more are rounded, too"
    let direction = first.isLater ? "up" : "down, as it has passed"
    return "\(first.key.notation(store.keyStyle)) expires at \(Timestamp.text(of: first.end)): the "
      + "store holds no finer times, so it was rounded \(direction)\(others)"
  }
}
