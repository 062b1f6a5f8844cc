package import LarderModel
import LarderDocuments

/// The one member in which two values differ: of arrays and dictionaries, or of JSON and property
/// lists in text or bytes.
package enum ChangedMember {
  /// The way to it as programs write it, such as `users[0].name`.
  ///
  /// - Returns: The way to the innermost member in which all differences are; nil where that is the
  ///   whole value.
  package static func shownName(from before: StoredValue, to after: StoredValue) -> String? {
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
    /// One that only one of both has.
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

  /// The only difference of two lists of members; nil where there are several, or none.
  private static func difference(_ left: [Member]?, _ right: [Member]?) -> Difference? {
    guard let left, let right else { return nil }
    // Of an array it is said at which place there is one more or less.
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
