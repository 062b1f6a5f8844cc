package import LarderModel
package import Foundation

/// Warnings attached to a successful write.
extension Store {
  /// Returns the warnings about a written entry.
  ///
  /// - Parameters:
  ///   - given: The entry as it was given to the store.
  ///   - stored: The entry as it is stored now.
  ///   - now: The current time.
  /// - Returns: Sentences without the final full stop.
  package func warnings(ofWriting given: Entry, as stored: Entry, at now: Date) -> [String] {
    [difference(between: given, and: stored), expiry(of: stored, passedAt: now)].compactMap(\.self)
  }

  /// Returns a warning if the written entry has already expired, so that its program may delete it.
  private func expiry(of stored: Entry, passedAt now: Date) -> String? {
    guard let expires = stored.expires, expires <= now else { return nil }
    return Messages.expired(stored.key.notation(keyStyle), at: expires)
  }

  /// Returns a warning if the store holds another value than it was given, which a program may
  /// change.
  ///
  /// The values themselves are not shown, since they may be long or secret.
  private func difference(between given: Entry, and stored: Entry) -> String? {
    guard !hidesValues, !kind.reportsSideEffects, stored.isWhole, let value = given.value,
      let kept = stored.value,
      !stored.holds(value), !stored.holds(asKept(value, form: stored.form))
    else { return nil }
    let key = stored.key.notation(keyStyle)
    guard case .record(let fields) = value, case .record = kept else {
      return Messages.storedOther(key, in: location)
    }
    let names = fields.filter { field in
      kept.field(field.name).map { !$0.isEqualButForDigits(to: field.value) } ?? true
    }.map(\.name)
    guard !names.isEmpty else { return nil }
    return Messages.storedOther(names, of: key, in: location)
  }
}
