package import LarderModel

/// A file that holds one tree of values, parsed so that a change to one value preserves the bytes
/// of all the others.
///
/// A value type without side effects: the caller reads and writes the file. A store lists the
/// top-level members; deeper values are reached by key path.
package protocol Document: Sendable {
  /// Parses and validates the contents of a whole file.
  ///
  /// Uses memory in proportion to the number of members, and never more than a small multiple of
  /// the file size, even for malformed input.
  ///
  /// - Parameter bytes: The contents of the file.
  /// - Throws: ``DocumentError`` with the problem and its position if the file is malformed.
  init(parsing bytes: [UInt8]) throws(DocumentError)

  /// Whether values can contain other values that have keys of their own.
  static var hasPaths: Bool { get }

  /// The reason why files in this format are read-only, as a clause; nil if they can be changed.
  var readOnlyReason: String? { get }

  /// The steps to the top-level members, in file order and without duplicates.
  var members: [DocumentStep] { get }

  /// Whether the file holds a single scalar value, which is its only entry.
  var isOneValue: Bool { get }

  /// Returns the value at a path.
  ///
  /// - Parameter path: Steps from the root; empty for the whole tree.
  /// - Returns: The value, or nil if there is none.
  /// - Throws: ``DocumentError`` if the value cannot be shown, although the file is well-formed.
  func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue?

  /// Returns the type of the value at a path without reading the whole value if possible.
  ///
  /// - Parameter path: Steps from the root; empty for the whole tree.
  /// - Returns: The type, or nil if there is no value.
  /// - Throws: ``DocumentError`` if the value cannot be shown, although the file is well-formed.
  func type(at path: [DocumentStep]) throws(DocumentError) -> StoredType?

  /// Returns the contents of the file after some changes, with everything else unchanged.
  ///
  /// Applies the changes in order, all or none. If a value is replaced by one of the same
  /// structure, the parts that are equal keep their bytes.
  ///
  /// - Parameter changes: The changes, in order.
  /// - Returns: The new contents, which `init(parsing:)` accepts.
  /// - Throws: ``DocumentError`` if the file cannot hold a value or a path leads nowhere.
  func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8]

  /// Returns the contents of the file after some changes, storing some values in specific forms.
  ///
  /// - Parameters:
  ///   - changes: The changes, in order.
  ///   - forms: The names of the forms of the values that are set, by path.
  /// - Returns: The new contents, which `init(parsing:)` accepts.
  /// - Throws: ``DocumentError`` as in `applying(_:)`, and if a value cannot be written in its
  ///   form.
  func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8]

  /// Returns the format's name for the form of the value at a path if a new value like it would be
  /// written in another form; nil in formats that have one form for each type.
  func form(at path: [DocumentStep]) -> String?

  /// Returns how the spelling of the value at a path differs from the default, such as `\u0041` for
  /// `A`; nil if it has the default spelling.
  func spelling(at path: [DocumentStep]) -> [UInt8]?

  /// Returns the reason, as a clause, why the value at a path could not be restored after it is
  /// removed; nil if it could.
  func removalObstacle(at path: [DocumentStep]) -> String?

  /// Returns the reason, as a clause, why the name of the value at a path, or a name inside the
  /// value, could not be written again; nil if it could.
  func nameObstacle(at path: [DocumentStep]) -> String?
}

extension Document {
  package static var hasPaths: Bool { true }

  package var isOneValue: Bool { false }

  package func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8] {
    try applying(changes)
  }

  package func form(at path: [DocumentStep]) -> String? { nil }

  package func spelling(at path: [DocumentStep]) -> [UInt8]? { nil }

  package func removalObstacle(at path: [DocumentStep]) -> String? { nil }

  package func nameObstacle(at path: [DocumentStep]) -> String? { nil }

  package func type(at path: [DocumentStep]) throws(DocumentError) -> StoredType? {
    try value(at: path)?.type
  }
}

/// A step from a value in a document to one inside it.
package enum DocumentStep: Sendable, Hashable {
  /// A dictionary member by name and repetition, which is 0 for the first of several members with
  /// the same name.
  case name(String, repetition: Int = 0)
  /// An array element by index, from 0.
  case index(Int)

  /// Compares names byte by byte.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.name(let left, let leftRepetition), .name(let right, let rightRepetition)):
      leftRepetition == rightRepetition && left.hasBytes(of: right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  /// Hashes the bytes of the name, to be consistent with `==`.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .name(let name, let repetition):
      for byte in name.utf8 { hasher.combine(byte) }
      hasher.combine(repetition)
    case .index(let index): hasher.combine(index)
    }
  }
}

/// A change to a document.
package enum DocumentChange: Sendable, Hashable {
  /// Sets the value at a path: replaces the existing one, or appends a member or element.
  case set([DocumentStep], StoredValue)
  /// Removes the value at a path, including its name.
  case remove([DocumentStep])
  /// Renames a dictionary member without moving it.
  case rename([DocumentStep], to: String)
}

/// An error in the bytes of a document, or in a change to it.
package struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The problem, as a clause that can follow the name of the file or of the entry.
  package let description: String
  /// Whether the request is at fault rather than the bytes.
  package let isRefusal: Bool

  /// Creates an error with a description.
  package init(_ description: String, isRefusal: Bool = false) {
    self.description = description
    self.isRefusal = isRefusal
  }
}
