import LarderModel

/// What binary property lists keep in two ways that a value does not tell apart.
///
/// The form of a value is a word for it, and for each value inside a word with its place:
/// `set; real32 /0`.
enum BinaryForm: String, Sendable, Hashable {
  /// An array whose elements have no order.
  case set
  /// A real of 32 bits.
  case real32
  /// A null, which nothing new can be.
  case null

  /// One value, by the steps that lead to it from the value that has the form.
  struct Place {
    let form: BinaryForm
    let steps: [String]
  }

  /// The places that a form names; those that it does not know are none.
  static func places(_ form: String) -> [Place] {
    form.split(separator: ";").compactMap { part in
      let words = part.drop { $0 == " " }.split(separator: " ", maxSplits: 1)
      guard let form = words.first.flatMap({ BinaryForm(rawValue: String($0)) }) else { return nil }
      let steps =
        words.count > 1 ? words[1].split(separator: "/", omittingEmptySubsequences: false) : []
      return Place(form: form, steps: steps.dropFirst().map { unescaped(String($0)) })
    }
  }

  /// What names the places.
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

/// The words that documents have for the forms of values.
package enum DocumentForm {
  /// The forms of the members or the elements of a value, by their names or numbers.
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
  /// The forms of a value, and of the values inside by their steps.
  private struct Tree {
    var forms: [BinaryForm] = []
    // By bytes: two names may differ in the spelling of one character only.
    var inside: [[UInt8]: Tree] = [:]

    mutating func add(_ form: BinaryForm, at steps: ArraySlice<String>) {
      guard let step = steps.first else { return forms.append(form) }
      inside[Array(step.utf8), default: Tree()].add(form, at: steps.dropFirst())
    }
  }

  /// A value in which what has a form is marked for ``BinaryWriter``.
  static func marked(_ value: StoredValue, _ form: String) -> StoredValue {
    var tree = Tree()
    for place in places(form) { tree.add(place.form, at: place.steps[...]) }
    return marked(value, tree)
  }

  private static func marked(_ value: StoredValue, _ tree: Tree) -> StoredValue {
    var value = value
    // What is inside first: a value with a mark has no others inside.
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

  /// No column is called so, and property lists have no records.
  private var name: String { "\0" + rawValue }

  /// The form and the value that a mark stands for; nil where fields are no mark.
  static func marked(_ fields: [StoredValue.Field]) -> (form: BinaryForm, value: StoredValue)? {
    guard fields.count == 1, let field = fields.first, field.name.utf8.first == 0,
      let form = BinaryForm(rawValue: String(field.name.dropFirst()))
    else { return nil }
    return (form, field.value)
  }

  /// A number in 32 bits, where these hold all the digits that a user sees of it.
  static func single(_ number: Double) -> Float? {
    let single = Float(number)
    return Double(single) == number || single.description == number.description ? single : nil
  }
}
