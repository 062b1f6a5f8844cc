package import LarderModel
import LarderDocuments

/// Finds the single member in which two values differ.
///
/// The values are arrays or dictionaries, or text or bytes that contain JSON or a property list.
package enum ChangedMember {
  /// Returns the columns in which two versions of a row differ, and the key path of the changed
  /// member in the only one, or in the values if these are not rows.
  ///
  /// - Returns: The columns, which are empty if the values are not rows, and the key path, such as
  ///   `users[0].name`, of the innermost member that contains all differences, or nil if that is the
  ///   whole value.
  package static func find(
    from before: StoredValue, to after: StoredValue
  ) -> (columns: [String], member: String?) {
    guard case .record = before, case .record(let fields) = after else {
      return ([], shownName(from: before, to: after))
    }
    let changed = fields.filter { before.field($0.name) != $0.value }
    guard changed.count == 1, let old = before.field(changed[0].name) else {
      return (changed.map(\.name), nil)
    }
    return ([changed[0].name], shownName(from: old, to: changed[0].value))
  }

  private static func shownName(from before: StoredValue, to after: StoredValue) -> String? {
    guard var left = ValueMember.structure(of: before),
      var right = ValueMember.structure(of: after)
    else { return nil }
    var path: [DocumentStep] = []
    while let place = difference(members(left), members(right)) {
      switch place {
      case .changed(let old, let new):
        path.append(new.step)
        (left, right) = (old.value, new.value)
      case .alone(let member): return (path + [member.step]).pathText
      }
    }
    return path.isEmpty ? nil : path.pathText
  }

  private struct Member {
    let step: DocumentStep
    let value: StoredValue
  }

  private enum Difference {
    case changed(Member, Member)
    /// A member that only one of the values has.
    case alone(Member)
  }

  private static func members(_ value: StoredValue) -> [Member]? {
    switch value {
    case .array(let values):
      return values.enumerated().map { Member(step: .index($0), value: $1) }
    case .dictionary(let fields):
      var counts: [ExactText: Int] = [:]
      return fields.map { field in
        let repetition = counts[ExactText(field.name), default: 0]
        counts[ExactText(field.name)] = repetition + 1
        return Member(step: .name(field.name, repetition: repetition), value: field.value)
      }
    default: return nil
    }
  }

  /// Returns the only difference between two lists of members, or nil if there are none or several.
  private static func difference(_ left: [Member]?, _ right: [Member]?) -> Difference? {
    guard let left, let right else { return nil }
    // Array elements are compared by value, so that an insertion or deletion is found at its index.
    func isSame(_ one: Member, _ other: Member) -> Bool {
      if case .index = one.step, case .index = other.step { return one.value == other.value }
      return one.step == other.step && one.value == other.value
    }
    let start = zip(left, right).prefix { isSame($0, $1) }.count
    let rest = zip(left[start...].reversed(), right[start...].reversed())
    let end = rest.prefix { isSame($0, $1) }.count
    switch (left.count - start - end, right.count - start - end) {
    case (1, 1) where left[start].step == right[start].step:
      return .changed(left[start], right[start])
    case (1, 0): return .alone(left[start])
    case (0, 1): return .alone(right[start])
    default: return nil
    }
  }
}
