import Foundation

/// A check that Foundation can safely read an archive to its end.
///
/// On Linux it crashes if an object lacks what its class expects, and if objects contain
/// themselves. Therefore everything that it would read is checked first.
struct ArchiveCheck {
  /// The maximum nesting: deeper objects could overflow the stack of the recursive reader.
  private static let deepest = 200

  /// The required contents of an object, by the name of its class; nil for an application's class.
  private enum Shape {
    case own
    case objects
    case entries
    case field(String, Field)
    case nothing
    /// A URL, which must not be relative: such URLs cause an infinite recursion on Linux.
    case address
    case names
  }

  private enum Field {
    case number, data, text
    case bytes(Int)
    /// A string that is a separate object.
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
    /// The height is the number of objects on the longest path down from this one, including
    /// itself.
    case done(height: Int)
  }

  private enum Step {
    case enter(Int)
    case leave(Int, references: [Int])
  }

  private let objects: [ArchiveValue]
  private var marks: [Mark]
  private var steps: [Step] = []
  /// The required contents for the classes seen so far, by their object indices: most objects of an
  /// archive have one of a few classes, and looking a class up by name takes longer than all other
  /// checks.
  private var known: [Int: Shape] = [:]

  /// Checks an archive.
  ///
  /// - Parameter data: The archive.
  /// - Throws: `ArchiveFlaw` if it cannot be read safely.
  static func check(_ data: Data) throws {
    var file = try ArchiveFile(data)
    guard case .table(let archive) = try file.read(),
      case .list(let objects)? = archive["$objects"],
      case .table(let top)? = archive["$top"],
      case .reference(let root)? = top[NSKeyedArchiveRootObjectKey]
    else { throw ArchiveFlaw.noRoot }
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
    guard marks.indices.contains(index) else { throw ArchiveFlaw.missingObject }
    switch marks[index] {
    case .done: return
    case .open: throw ArchiveFlaw.recursive
    case .unseen: break
    }
    marks[index] = .open
    var references: [Int] = []
    switch objects[index] {
    case .list, .reference: throw ArchiveFlaw.noClass
    case .table(let fields): references = try self.references(of: fields)
    default: break
    }
    steps.append(.leave(index, references: references))
    for next in references { steps.append(.enter(next)) }
  }

  /// Finishes an object whose references are finished.
  ///
  /// The height is limited rather than the depth, because the reader may reach an object by a
  /// longer path than this check.
  private mutating func leave(_ index: Int, _ references: [Int]) throws {
    var height = 1
    for case .done(let other) in references.map({ marks[$0] }) { height = max(height, other + 1) }
    guard height <= Self.deepest else {
      throw ArchiveFlaw.deepObjects
    }
    marks[index] = .done(height: height)
  }

  /// Returns the references of an object, after checking that it contains what its class expects.
  private mutating func references(of fields: [String: ArchiveValue]) throws -> [Int] {
    switch try shape(of: fields["$class"]) {
    case .nothing: return []
    case .own:
      return fields.filter { $0.key != "$class" }.values.flatMap { Self.references(in: $0) }
    case .objects: return try numbers(fields["NS.objects"])
    case .entries:
      let (keys, values) = try (numbers(fields["NS.keys"]), numbers(fields["NS.objects"]))
      guard keys.count == values.count, !(keys + values).contains(where: isNothing) else {
        throw ArchiveFlaw.unpairedKeys
      }
      return keys + values
    case .field(let name, let field):
      guard holds(fields[name], field) else { throw ArchiveFlaw.missing(name) }
      return []
    case .address:
      guard case .reference(let base)? = fields["NS.base"], isNothing(base),
        holds(fields["NS.relative"], .textObject)
      else { throw ArchiveFlaw.invalidURL }
      return []
    case .names:
      guard holds(fields["NS.name"], .textObject) else {
        throw ArchiveFlaw.unnamedQuery
      }
      if case .reference(let value)? = fields["NS.value"], isNothing(value) { return [] }
      guard holds(fields["NS.value"], .textObject) else {
        throw ArchiveFlaw.notText
      }
      return []
    }
  }

  /// Whether a field has the expected kind.
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
    guard case .list(let values)? = value else { throw ArchiveFlaw.invalidList }
    return try values.map { value in
      guard case .reference(let number) = value else { throw ArchiveFlaw.invalidList }
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

  /// Returns the required contents of an object of a class.
  private mutating func shape(of reference: ArchiveValue?) throws -> Shape {
    guard case .reference(let index)? = reference, objects.indices.contains(index),
      case .table(let description) = objects[index],
      case .text(let name)? = description["$classname"]
    else { throw ArchiveFlaw.noClass }
    if let shape = known[index] { return shape }
    let shape = try Self.shape(ofClass: name)
    known[index] = shape
    return shape
  }

  private static func shape(ofClass name: String) throws -> Shape {
    // Foundation logs other names and then fails to find them.
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty && part.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    }
    guard
      let type = NSKeyedUnarchiver.class(forClassName: name)
        ?? (parts.count <= 2 && isName && !name.hasPrefix("_Tt") ? NSClassFromString(name) : nil),
      type is any NSCoding.Type
    else { throw ArchiveFlaw.unknownClass }
    let module = String(reflecting: type).prefix { $0 != "." }
    let isOwn = !module.hasPrefix("Foundation")
    guard let shape = isOwn ? .own : shapes[NSStringFromClass(type)] else {
      throw ArchiveFlaw.unsafeClass(type)
    }
    return shape
  }
}
