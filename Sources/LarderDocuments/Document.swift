package import LarderModel

/// A file that is one tree of values, taken apart so that a change of one value keeps the bytes of
/// everything else.
///
/// A value type without side effects: reading and writing files is the business of whoever holds
/// one. The members at the top are what a store lists; deeper values are reached by path.
package protocol Document: Sendable {
  /// Takes the bytes of a whole file apart and checks all of it.
  ///
  /// Takes memory in proportion to the number of members, and never more than a small multiple of
  /// the size of the file, whatever the bytes are.
  ///
  /// - Parameter bytes: The contents of the file.
  /// - Throws: What is wrong with the bytes, and where.
  init(parsing bytes: [UInt8]) throws(DocumentError)

  /// Whether values hold others, which keys may lead to.
  static var hasPaths: Bool { get }

  /// Whether nothing can be changed in this form of the file, as a clause; nil where it can.
  var readOnlyReason: String? { get }

  /// The steps to the members at the top, in the order of the file; each step occurs once.
  var members: [DocumentStep] { get }

  /// Whether the whole file is one value that holds no others, and so is its only entry.
  var isOneValue: Bool { get }

  /// The value at a path.
  ///
  /// - Parameter path: Steps from the top; none for the whole tree.
  /// - Returns: The value; nil where there is none.
  /// - Throws: Why the value cannot be shown, although the file is whole.
  func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue?

  /// The type of the value at a path, where that is known without reading all of it.
  ///
  /// - Parameter path: Steps from the top; none for the whole tree.
  /// - Returns: The type; nil where there is no value.
  /// - Throws: Why the value cannot be shown, although the file is whole.
  func type(at path: [DocumentStep]) throws(DocumentError) -> StoredType?

  /// The bytes of the file after some changes, in which everything else is as it was.
  ///
  /// Changes are made one after the other, and either all or none. Within a value that is replaced
  /// by one of the same structure, parts that are equal keep their bytes too.
  ///
  /// - Parameter changes: What to change.
  /// - Returns: The new contents, which `init(parsing:)` accepts.
  /// - Throws: Why the file cannot hold a value, or that there is nothing at a path.
  func applying(_ changes: [DocumentChange]) throws(DocumentError) -> [UInt8]

  /// The bytes of the file after some changes, of which some values are kept in a form of their own.
  ///
  /// - Parameters:
  ///   - changes: What to change.
  ///   - forms: The words for the forms of values that are set, by their paths.
  /// - Returns: The new contents, which `init(parsing:)` accepts.
  /// - Throws: Also that no value can be written in a form.
  func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8]

  /// The format's own word for the form of the value at a path, where a new value like it would be
  /// written in another form; nil in formats with one form for each type.
  func form(at path: [DocumentStep]) -> String?

  /// What tells the spelling of the value at a path from the one that a new value like it would get,
  /// as with `\u0041` for `A`; nil where it is spelled so.
  func spelling(at path: [DocumentStep]) -> [UInt8]?

  /// Why the value at a path must not be removed, as it could not be put back, as a clause; nil
  /// where it could.
  func removalObstacle(at path: [DocumentStep]) -> String?

  /// Why the name of the value at a path, or one inside the value, could not be given to it again, as
  /// a clause; nil where it could.
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
  /// The member of a dictionary with a name; of several with one name the first has repetition 0.
  case name(String, repetition: Int = 0)
  /// The element of an array, from 0.
  case index(Int)

  /// Whether both are the same step, byte by byte.
  package static func == (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.name(let left, let leftRepetition), .name(let right, let rightRepetition)):
      leftRepetition == rightRepetition && left.hasBytes(of: right)
    case (.index(let left), .index(let right)): left == right
    default: false
    }
  }

  /// Feeds the bytes of the step to the hasher.
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
  /// Puts a value at a path: in place of the one there, or as a new last member or element of what
  /// the path leads into.
  case set([DocumentStep], StoredValue)
  /// Removes the value at a path, and its name.
  case remove([DocumentStep])
  /// Gives a member of a dictionary another name, at the same place in the order.
  case rename([DocumentStep], to: String)
}

/// What is wrong with the bytes of a document, or with a change to it.
package struct DocumentError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, as a clause that can follow the name of the file or of the entry.
  package let description: String
  /// Whether the request is at fault, and not the bytes.
  package let isRefusal: Bool

  /// States what is wrong.
  package init(_ description: String, isRefusal: Bool = false) {
    self.description = description
    self.isRefusal = isRefusal
  }
}

extension DocumentError {
  /// A name holds what larder can show but not write.
  package static let invalidName = DocumentError(
    "its name, or one inside it, holds half of a surrogate pair or bytes that are not UTF-8, and "
      + "could not be written again")
}
