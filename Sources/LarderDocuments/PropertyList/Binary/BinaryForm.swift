import LarderModel

/// A distinction that binary property lists make but values do not.
///
/// The form of a value is a word, and for each value inside it a word with its path:
/// `set; real32 /0`.
enum BinaryForm: String, Sendable, Hashable {
  /// An unordered collection, shown as an array.
  case set
  /// A 32-bit real.
  case real32
  /// A null, which cannot be written for new values.
  case null

  /// The form of one value, at a path relative to the value whose form is described.
  struct Place {
    let form: BinaryForm
    let steps: [String]
  }

  /// Parses a form, ignoring words that are not known.
  static func places(_ form: String) -> [Place] {
    form.split(separator: ";").compactMap { part in
      let words = part.drop { $0 == " " }.split(separator: " ", maxSplits: 1)
      guard let form = words.first.flatMap({ BinaryForm(rawValue: String($0)) }) else { return nil }
      let steps =
        words.count > 1 ? words[1].split(separator: "/", omittingEmptySubsequences: false) : []
      return Place(form: form, steps: steps.dropFirst().map { unescaped(String($0)) })
    }
  }

  /// Returns the text of a form, or nil if there are no places.
  static func text(_ places: [Place]) -> String? {
    guard !places.isEmpty else { return nil }
    return places.map { place in
      let pointer = place.steps.map { "/" + escaped($0) }.joined()
      return place.form.rawValue + (pointer.isEmpty ? "" : " " + pointer)
    }.joined(separator: "; ")
  }

  private static func escaped(_ step: String) -> String {
    step.replacing("~", with: "~0").replacing("/", with: "~1").replacing(";", with: "~2")
  }

  private static func unescaped(_ step: String) -> String {
    step.replacing("~2", with: ";").replacing("~1", with: "/").replacing("~0", with: "~")
  }
}

/// Utilities for the forms of document values.
package enum DocumentForm {
  /// Returns the forms of a value's members or elements, by name or index.
  package static func parts(of form: String?) -> [String: String] {
    guard let form else { return [:] }
    let inside = BinaryForm.places(form).filter { !$0.steps.isEmpty }
    return Dictionary(grouping: inside) { $0.steps[0] }.compactMapValues { places in
      BinaryForm.text(
        places.map { BinaryForm.Place(form: $0.form, steps: Array($0.steps.dropFirst())) })
    }
  }
}

// MARK: - Values with a mark

extension BinaryForm {
  /// The forms of a value and, by step, of the values inside it.
  private struct Tree {
    var forms: [BinaryForm] = []
    // Keyed by bytes, as names may be canonically equivalent but different.
    var inside: [[UInt8]: Tree] = [:]

    mutating func add(_ form: BinaryForm, at steps: ArraySlice<String>) {
      guard let step = steps.first else { return forms.append(form) }
      inside[Array(step.utf8), default: Tree()].add(form, at: steps.dropFirst())
    }
  }

  /// Returns a value with marks where it has forms, for ``BinaryWriter``.
  static func marked(_ value: StoredValue, _ form: String) -> StoredValue {
    var tree = Tree()
    for place in places(form) { tree.add(place.form, at: place.steps[...]) }
    return marked(value, tree)
  }

  private static func marked(_ value: StoredValue, _ tree: Tree) -> StoredValue {
    var value = value
    // Mark inner values first: a marked value has no members to descend into.
    if !tree.inside.isEmpty {
      switch value {
      case .array(var values):
        for (step, tree) in tree.inside {
          let index = Int(String(decoding: step, as: UTF8.self))
          guard let index, values.indices.contains(index) else { continue }
          values[index] = marked(values[index], tree)
        }
        value = .array(values)
      case .dictionary(var fields):
        var inside = tree.inside
        for place in fields.indices {
          guard let tree = inside.removeValue(forKey: Array(fields[place].name.utf8)) else {
            continue
          }
          fields[place].value = marked(fields[place].value, tree)
        }
        value = .dictionary(fields)
      default: break
      }
    }
    return tree.forms.reduce(value) { $1.mark($0) }
  }

  private func mark(_ value: StoredValue) -> StoredValue {
    switch (self, value) {
    case (.set, .array), (.null, .null): .record([StoredValue.Field(name, value)])
    case (.real32, .real(let number)) where Self.single(number) != nil:
      .record([StoredValue.Field(name, value)])
    default: value
    }
  }

  /// The field name of a mark: no column has such a name, and property lists have no records.
  private var name: String { "\0" + rawValue }

  /// Returns the form and the value of a mark, or nil if the fields are not a mark.
  static func marked(_ fields: [StoredValue.Field]) -> (form: BinaryForm, value: StoredValue)? {
    guard fields.count == 1, let field = fields.first, field.name.utf8.first == 0,
      let form = BinaryForm(rawValue: String(field.name.dropFirst()))
    else { return nil }
    return (form, field.value)
  }

  /// Returns a number as a 32-bit float if no digits are lost.
  static func single(_ number: Double) -> Float? {
    let single = Float(number)
    return Double(single) == number || single.description == number.description ? single : nil
  }
}
