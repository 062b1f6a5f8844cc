/// A writer of an identifier with all its parts.
///
/// It uses a loop rather than recursion, so that even a linked list of a million elements is a
/// valid identifier.
struct StableStructure {
  /// A value whose parts are being written.
  private struct Frame {
    /// The parts left to write, in reverse order.
    var rest: [(label: String?, value: Any)]
    let end: String
    /// Whether the parts are unordered and therefore sorted: their own order differs in each
    /// process.
    let isSorted: Bool
    /// Whether numbers are compared across types here.
    let isErased: Bool
    /// The object that the parts belong to, if it is one.
    let object: ObjectIdentifier?
    var isFirst = true
    /// The parts that have been written, if they are sorted.
    var written: [String] = []
  }

  /// Whether the first value is the whole identifier.
  private let standsAlone: Bool
  private var frames: [Frame] = []
  /// The index of each object's frame.
  private var places: [ObjectIdentifier: Int] = [:]
  /// The text written so far, followed by the current part of each unordered value.
  private var texts = [""]

  private init(standsAlone: Bool = false) {
    self.standsAlone = standsAlone
  }

  /// Returns the text of a value that is not a leaf.
  static func text(of value: Any) -> String {
    var structure = StableStructure(standsAlone: true)
    structure.begin(value, isErased: false)
    structure.finish()
    return structure.texts[0]
  }

  /// Returns the representation of a value inside another one.
  static func part(of value: Any) -> String {
    var structure = StableStructure()
    structure.write(value, isErased: false)
    structure.finish()
    return structure.texts[0]
  }

  private mutating func finish() {
    while let last = frames.indices.last {
      guard let next = frames[last].rest.popLast() else {
        end()
        continue
      }
      if frames[last].isSorted {
        texts.append("")
      } else if frames[last].isFirst {
        frames[last].isFirst = false
      } else {
        put(", ")
      }
      if let label = next.label { put("\(label): ") }
      write(next.value, isErased: frames[last].isErased)
      // A leaf is complete now; other parts are complete when their frame ends.
      if frames.indices.last == last { endPart() }
    }
  }

  /// Writes a leaf, or begins to write a value with parts.
  private mutating func write(_ value: Any, isErased: Bool) {
    var value = value
    var marks = ""
    while let optional = value as? any OptionalIdentifier {
      guard let wrapped = optional.wrapped else { return put("\(marks)nil") }
      marks += "?"
      value = wrapped
    }
    if type(of: value) == String.self, let text = value as? String {
      put(StableLeaf.quoted(text))
    } else if type(of: value) == AnyHashable.self, let value = value as? AnyHashable {
      write(value.base, isErased: true)
    } else if let leaf = StableLeaf(value, isErased: isErased) {
      put(leaf.part)
    } else {
      begin(value, isErased: isErased)
    }
  }

  private mutating func begin(_ value: Any, isErased: Bool) {
    if type(of: value) == AnyHashable.self { return write(value, isErased: true) }
    let mirror = Mirror(reflecting: value)
    let object = type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
    if let object, let place = places[object] {
      // The object is a part of itself, so the number of levels up is written.
      return put("^\(frames.count - place)")
    }
    let parts = Self.parts(of: mirror)
    let name = "\(type(of: value))"
    // The type of the whole identifier can be omitted.
    let isAlone = standsAlone && frames.isEmpty
    switch mirror.displayStyle {
    case .collection: push(parts.map { (nil, $0.value) }, "[", "]", object, isErased)
    case .set, .dictionary:
      push(parts.map { (nil, $0.value) }, "{", "}", object, isErased, isSorted: true)
    case .tuple: push(parts, "(", ")", object, isErased)
    case .enum where parts.isEmpty:
      put(isAlone ? Self.caseName(value) : "\(name).\(Self.caseName(value))")
    default:
      guard parts.isEmpty else { return push(parts, "\(name)(", ")", object, false) }
      if let value = value as? any CustomStringConvertible {
        let text = value.description
        put(isAlone ? text : "\(name)(\(StableLeaf.quoted(text)))")
      } else {
        // An object without parts is identified by its address.
        put("\(name)(\(object.map { "\(UInt(bitPattern: $0))" } ?? ""))")
      }
    }
  }

  /// Returns the parts of a value, those of its superclasses first.
  private static func parts(of mirror: Mirror) -> [(label: String?, value: Any)] {
    var parts: [(label: String?, value: Any)] = []
    var next: Mirror? = mirror
    while let mirror = next {
      parts.insert(contentsOf: mirror.children.map { ($0.label, $0.value) }, at: 0)
      next = mirror.superclassMirror
    }
    return parts
  }

  /// Returns the name of a case, even if its description is different.
  private static func caseName(_ value: Any) -> String {
    func name<Value>(_ value: Value) -> String? {
      enumCaseName(value).map { String(cString: $0) }
    }
    return _openExistential(value, do: name) ?? "\(value)"
  }

  private mutating func push(
    _ parts: [(label: String?, value: Any)], _ start: String, _ end: String,
    _ object: ObjectIdentifier?, _ isErased: Bool, isSorted: Bool = false
  ) {
    put(start)
    if let object { places[object] = frames.count }
    frames.append(
      Frame(
        rest: parts.reversed(), end: end, isSorted: isSorted, isErased: isErased, object: object))
  }

  private mutating func end() {
    guard let frame = frames.popLast() else { return }
    if let object = frame.object { places[object] = nil }
    put(frame.written.sorted { $0.isOrderedBefore($1) }.joined(separator: ", ") + frame.end)
    endPart()
  }

  /// Adds a completed part to its frame if the parts are sorted.
  private mutating func endPart() {
    guard let last = frames.indices.last, frames[last].isSorted, texts.count > 1 else { return }
    frames[last].written.append(texts.removeLast())
  }

  private mutating func put(_ text: String) {
    texts[texts.count - 1] += text
  }
}

/// Returns the name of an enumeration's case in the source code.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
