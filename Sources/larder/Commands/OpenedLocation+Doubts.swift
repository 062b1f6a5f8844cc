import Foundation
import LarderModel

extension OpenedLocation {
  /// The uncertain assumptions about the expiry, to be reported before expired entries are deleted.
  var doubts: [String] { expiry?.doubts ?? [] }

  private var expiry: CollectionExpiry? {
    let name = store.location.collection
    let collection = open.collections.first { $0.name == name || open.collections.count == 1 }
    return collection?.expiry
  }

  /// Refuses to select entries by expiry, or to write it, if the expiry column or its unit is
  /// doubted.
  ///
  /// - Parameter outcome: The outcome of the command, as a clause.
  /// - Throws: `Failure` with the doubt and the option that settles it.
  func checkDoubt(_ outcome: String) throws {
    if let doubt = doubt(outcome) { throw Failure(.refused, doubt) }
  }

  /// Refuses to select entries by expiry if the column or its unit is doubted.
  ///
  /// Reports a store without expiry on standard error.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the command, as a clause.
  ///   - isToDelete: Whether the entries are to be deleted, which also requires a known time zone.
  /// - Throws: `Failure` with the doubt and the option that settles it.
  func checkCertainty(_ outcome: String, isToDelete: Bool = false) throws {
    if !store.capabilities.contains(.expiry) {
      Output.complain("\(Messages.noExpiry(store.location)). \(expiryAdvice)")
    }
    try checkDoubt(outcome)
    if isToDelete, let doubt = expiry?.zoneDoubt {
      throw Failure.unknownZone(doubt, outcome)
    }
  }

  /// Reports an assumed time zone.
  func reportAssumedZone() {
    if let doubt = expiry?.zoneDoubt { Output.complain(Messages.assumedZone(doubt)) }
  }

  /// Returns the doubt about the expiry column or its unit, with the option that settles it.
  ///
  /// - Parameter outcome: The outcome of the command, as a clause.
  /// - Returns: A sentence without its full stop; nil if there is no doubt.
  func doubt(_ outcome: String) -> String? {
    expiry.flatMap { expiry in
      guard let doubt = expiry.doubt, let remedy = expiry.remedy else { return nil }
      return Messages.doubt(doubt, outcome, of: expiry, remedy: remedy)
    }
  }

  /// Reports the doubts on standard error, with the options that settle them.
  func reportDoubts() {
    guard let expiry, !expiry.doubts.isEmpty else { return }
    let zone = expiry.zoneDoubt == nil ? nil : "--expires-zone ZONE"
    let options = [expiry.remedy, zone].compactMap(\.self).joined(separator: " ")
    Output.complain(Messages.doubts(expiry.doubts, options: options))
  }

  /// Returns a message about entries whose expiry was rounded, such as to whole minutes or days.
  ///
  /// - Parameters:
  ///   - written: The entries as stored.
  ///   - asked: The requested expiry of each; nil for never.
  /// - Returns: A sentence without its full stop; nil if no expiry was rounded.
  func rounding(_ written: [Entry], from asked: [Date?]) -> String? {
    let rounded = zip(written, asked).compactMap {
      entry, asked -> (key: EntryKey, end: Date, isLater: Bool)? in
      guard let end = entry.expires, let asked, abs(end.timeIntervalSince(asked)) >= 1 else {
        return nil
      }
      return (entry.key, end, end > asked)
    }
    guard let first = rounded.first else { return nil }
    return Messages.rounded(
      first.key.notation(store.keyStyle), to: first.end, isLater: first.isLater,
      others: rounded.count - 1)
  }
}
