import Foundation

/// Whether Foundation can read an archive to its end, whatever that may be.
///
/// On Linux it stops the process where an object does not hold what its class expects, and where
/// objects hold themselves. So what it would meet is looked at first.
struct ArchiveCheck {
  /// Deeper than this the reader, which calls itself, could leave its stack.
  private static let deepest = 200

  /// What an object has to hold, by the name of its class; nil for a class of the application.
  private enum Shape {
    case own
    case objects
    case entries
    case field(String, Field)
    case nothing
    /// The address, which must not be relative to another: such addresses have no end on Linux.
    case address
    case names
  }

  private enum Field {
    case number, data, text
    case bytes(Int)
    /// A text that is an object of its own.
    case textObject
  }

  private static let shapes: [String: Shape] = [
    "NSArray": .objects, "NSMutableArray": .objects, "NSSet": .objects, "NSMutableSet": .objects,
    "NSDictionary": .entries, "NSMutableDictionary": .entries, "NSNull": .nothing,
    "NSString": .field("NS.string", .text), "NSMutableString": .field("NS.string", .text),
    "NSDate": .field("NS.time", .number), "NSData": .field("NS.data", .data),
    "NSMutableData": .field("NS.data", .data), "NSUUID": .field("NS.uuidbytes", .bytes(16)),
    "NSURL": .address, "NSLocale": .field("NS.identifier", .textObject), "NSURLQueryItem": .names,
  ]

  private enum Mark {
    case unseen, open
    /// Its height is the number of objects on the longest way down from it, with itself.
    case done(height: Int)
  }

  private enum Step {
    case enter(Int)
    case leave(Int, references: [Int])
  }

  private let objects: [ArchiveValue]
  private var marks: [Mark]
  private var steps: [Step] = []
  /// What is expected of objects of the classes that were met, by the numbers of those: most objects
  /// of an archive are of a few classes, and finding one by its name takes longer than all the rest.
  private var known: [Int: Shape] = [:]

  /// Checks an archive.
  ///
  /// - Parameter data: The archive.
  /// - Throws: `ArchiveFlaw` if it cannot be read.
  static func check(_ data: Data) throws {
    var file = try ArchiveFile(data)
    guard case .table(let archive) = try file.read(),
      case .list(let objects)? = archive["$objects"],
      case .table(let top)? = archive["$top"],
      case .reference(let root)? = top[NSKeyedArchiveRootObjectKey]
    else { throw ArchiveFlaw("no objects, or none that the others belong to") }
    var check = ArchiveCheck(objects)
    check.steps = [.enter(root)]
    try check.run()
  }

  private init(_ objects: [ArchiveValue]) {
    self.objects = objects
    marks = Array(repeating: .unseen, count: objects.count)
  }

  private mutating func run() throws {
    while let step = steps.popLast() {
      switch step {
      case .leave(let index, let references): try leave(index, references)
      case .enter(let index): try enter(index)
      }
    }
  }

  private mutating func enter(_ index: Int) throws {
    guard marks.indices.contains(index) else { throw ArchiveFlaw("an object that is not there") }
    switch marks[index] {
    case .done: return
    case .open: throw ArchiveFlaw("an object that holds itself")
    case .unseen: break
    }
    marks[index] = .open
    var references: [Int] = []
    switch objects[index] {
    case .list, .reference: throw ArchiveFlaw("an object of no class")
    case .table(let fields): references = try self.references(of: fields)
    default: break
    }
    steps.append(.leave(index, references: references))
    for next in references { steps.append(.enter(next)) }
  }

  /// Finishes an object whose references are finished.
  ///
  /// The height is limited and not the depth: the reader may come to an object by a longer way than
  /// the one by which it is met here first.
  private mutating func leave(_ index: Int, _ references: [Int]) throws {
    var height = 1
    for case .done(let other) in references.map({ marks[$0] }) { height = max(height, other + 1) }
    guard height <= Self.deepest else {
      throw ArchiveFlaw("objects that are too deep in each other")
    }
    marks[index] = .done(height: height)
  }

  /// What an object refers to, if it holds what its class expects.
  private mutating func references(of fields: [String: ArchiveValue]) throws -> [Int] {
    switch try shape(of: fields["$class"]) {
    case .nothing: return []
    case .own:
      return fields.filter { $0.key != "$class" }.values.flatMap { Self.references(in: $0) }
    case .objects: return try numbers(fields["NS.objects"])
    case .entries:
      let (keys, values) = try (numbers(fields["NS.keys"]), numbers(fields["NS.objects"]))
      guard keys.count == values.count, !(keys + values).contains(where: isNothing) else {
        throw ArchiveFlaw("a dictionary with keys or values alone")
      }
      return keys + values
    case .field(let name, let field):
      guard holds(fields[name], field) else { throw ArchiveFlaw("an object without \(name)") }
      return []
    case .address:
      guard case .reference(let base)? = fields["NS.base"], isNothing(base),
        holds(fields["NS.relative"], .textObject)
      else { throw ArchiveFlaw("an invalid address, or one relative to another") }
      return []
    case .names:
      guard holds(fields["NS.name"], .textObject) else {
        throw ArchiveFlaw("a query without a name")
      }
      if case .reference(let value)? = fields["NS.value"], isNothing(value) { return [] }
      guard holds(fields["NS.value"], .textObject) else {
        throw ArchiveFlaw("a value that is not text")
      }
      return []
    }
  }

  /// Whether a field is what is expected.
  private func holds(_ value: ArchiveValue?, _ field: Field) -> Bool {
    switch (field, value) {
    case (.number, .number), (.number, .integer), (.data, .data), (.text, .text): return true
    case (.bytes(let wanted), .data(let count)): return wanted == count
    case (.textObject, .reference(let index)):
      guard objects.indices.contains(index), case .text = objects[index] else { return false }
      return !isNothing(index)
    default: return false
    }
  }

  private func isNothing(_ index: Int) -> Bool {
    guard objects.indices.contains(index), case .text("$null") = objects[index] else {
      return false
    }
    return true
  }

  private func numbers(_ value: ArchiveValue?) throws -> [Int] {
    guard case .list(let values)? = value else { throw ArchiveFlaw("a list without its objects") }
    return try values.map { value in
      guard case .reference(let number) = value else { throw ArchiveFlaw("an object of no number") }
      return number
    }
  }

  private static func references(in value: ArchiveValue) -> [Int] {
    switch value {
    case .reference(let number): [number]
    case .list(let values): values.flatMap { references(in: $0) }
    case .table(let fields): fields.values.flatMap { references(in: $0) }
    default: []
    }
  }

  /// What is expected of an object of a class.
  private mutating func shape(of reference: ArchiveValue?) throws -> Shape {
    guard case .reference(let index)? = reference, objects.indices.contains(index),
      case .table(let description) = objects[index],
      case .text(let name)? = description["$classname"]
    else { throw ArchiveFlaw("an object of no class") }
    if let shape = known[index] { return shape }
    let shape = try Self.shape(ofClass: name)
    known[index] = shape
    return shape
  }

  private static func shape(ofClass name: String) throws -> Shape {
    // Other names are written to the log by Foundation, which then does not find them.
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    }
    guard
      let type = NSKeyedUnarchiver.class(forClassName: name)
        ?? (parts.count <= 2 && isName && !name.hasPrefix("_Tt") ? NSClassFromString(name) : nil),
      type is any NSCoding.Type
    else { throw ArchiveFlaw("an object of an unknown class") }
    let module = String(reflecting: type).prefix { $0 != "." }
    let isOwn = !module.hasPrefix("Foundation")
    guard let shape = isOwn ? .own : shapes[NSStringFromClass(type)] else {
      throw ArchiveFlaw("an object of a class that may end the process: \(type)")
    }
    return shape
  }
}
