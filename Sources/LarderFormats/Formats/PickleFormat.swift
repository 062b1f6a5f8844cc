import LarderModel

extension ValueFormat {
  /// A pickled Python object, read without executing it.
  static let pickle = opening(
    name: "pickle", shows: "Python pickles of up to 1 MiB",
    suits: { value in
      guard let bytes = DecodedStructure.bytes(of: value),
        let pickle = PickleReader.read(bytes[...])
      else { return 0 }
      if pickle.objects.problem == nil {
        return pickle.version >= 2 || pickle.hasMemo && pickle.isStructure ? 6 : 0
      }
      return pickle.version >= 2 && pickle.isUnknown ? 2 : 0
    }, previewsContent: true,
    { value in
      DecodedValue("pickle", PickleReader.read(bytes(of: value)[...])?.objects.structure, of: value)
    })
}

/// Reads the opcodes of a pickle and builds what they describe.
///
/// Nothing is imported or called: classes and functions are only names.
struct PickleReader {
  /// An object and the signs that it was really pickled.
  struct Result {
    var objects: DecodedObjects
    /// The version of the protocol, which is 0 for versions before 2.
    var version: UInt8
    /// Whether an object was stored for later reference, as nearly every pickler does.
    var hasMemo: Bool
    /// Whether the object has members.
    var isStructure: Bool
    /// Whether an unknown opcode prevented reading the rest.
    var isUnknown: Bool
  }

  private var cursor: ByteCursor
  private var objects = PickleObjects()
  private var stack: [Int] = []
  /// The sizes of the stack at its marks.
  private var marks: [Int] = []
  private var memo: [UInt64: Int] = [:]
  private var version: UInt8 = 0
  private var isUnknown = false

  /// Returns the object in a pickle, or nil if the bytes do not look like one.
  ///
  /// If the pickle is damaged, the object has the members before the damage.
  static func read(_ bytes: ArraySlice<UInt8>) -> Result? {
    guard mayBegin(bytes) else { return nil }
    var reader = PickleReader(cursor: ByteCursor(bytes))
    var problem: String?
    do throws(FormatError) {
      while try reader.step() {}
      if reader.cursor.left > 0 { throw FormatError.surplusBytes }
    } catch {
      problem = error.reason
      // The outermost objects that were being built.
      if reader.stack.count > 1, let list = try? reader.objects.list(reader.stack[...]) {
        reader.stack = [list]
      }
    }
    let version = reader.version < 2 ? "0 or 1" : String(reader.version)
    return Result(
      objects: DecodedObjects(
        graph: reader.objects.graph, root: reader.stack.last, detail: "protocol \(version)",
        problem: problem), version: reader.version, hasMemo: !reader.memo.isEmpty,
      isStructure: reader.stack.last.map { reader.objects.graph.nodes[$0].kind != .value } ?? false,
      isUnknown: reader.isUnknown)
  }

  /// Whether bytes begin and end as a pickle does.
  static func mayBegin(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
    guard bytes.count > 3, bytes.count <= DecodedStructure.maximumSize, let first = bytes.first,
      bytes.last == UInt8(ascii: ".")
    else { return false }
    return first == 0x80
      ? bytes.dropFirst().first.map { 2...5 ~= $0 } ?? false : "(c]}".utf8.contains(first)
  }

  // MARK: Opcodes

  /// Carries out an opcode, and returns false at the end.
  private mutating func step() throws(FormatError) -> Bool {
    let code = try cursor.byte()
    switch code {
    case UInt8(ascii: "."):
      guard stack.count == 1 else { throw FormatError.endsEarly }
      return false
    case 0x80:
      version = try cursor.byte()
      guard version <= 5 else { throw FormatError.unknownVersion }
    case 0x95: _ = try cursor.big(UInt64.self)
    default:
      if try readStack(code) { return true }
      if try readScalar(code) { return true }
      if try readContainer(code) { return true }
      if try readObject(code) { return true }
      isUnknown = true
      throw FormatError.unknownOpcode(code, at: cursor.offset - 1)
    }
    return true
  }

  /// Carries out an opcode for the stack or the memo.
  private mutating func readStack(_ code: UInt8) throws(FormatError) -> Bool {
    switch Unicode.Scalar(code) {
    case "(": marks.append(stack.count)
    case "0": if marks.last == stack.count { marks.removeLast() } else { _ = try pop() }
    case "1": _ = try popToMark()
    case "2": stack.append(try top())
    case "p": memo[try decimal()] = try top()
    case "q": memo[UInt64(try cursor.byte())] = try top()
    case "r": memo[UInt64(try cursor.little(UInt32.self))] = try top()
    case "\u{94}": memo[UInt64(memo.count)] = try top()
    case "g": try recall(try decimal())
    case "h": try recall(UInt64(try cursor.byte()))
    case "j": try recall(UInt64(try cursor.little(UInt32.self)))
    default: return false
    }
    return true
  }

  /// Carries out an opcode that pushes a value without members.
  private mutating func readScalar(_ code: UInt8) throws(FormatError) -> Bool {
    switch Unicode.Scalar(code) {
    case "N": try push(.null)
    case "\u{88}": try push(.bool(true))
    case "\u{89}": try push(.bool(false))
    case "K": try push(.integer(Int64(try cursor.byte())))
    case "M": try push(.integer(Int64(try cursor.little(UInt16.self))))
    case "J": try push(.integer(Int64(try cursor.little(Int32.self))))
    case "I":
      let digits = try line()
      try push(
        digits == "00" || digits == "01" ? .bool(digits == "01") : try integer(digits))
    case "L":
      let digits = try line()
      try push(try integer(digits.hasSuffix("L") ? String(digits.dropLast()) : digits))
    case "\u{8A}":
      try push(StoredValue(twosComplement: try cursor.take(try cursor.byte())))
    case "\u{8B}":
      try push(StoredValue(twosComplement: try cursor.take(try cursor.little(Int32.self))))
    case "F":
      let digits = try line()
      guard let number = Double(digits) else { throw FormatError.invalidNumber }
      try push(.real(number))
    case "G": try push(.real(Double(bitPattern: try cursor.big(UInt64.self))))
    case "S": try push(PickleText.unquoted(try cursor.take(until: 0x0A)))
    case "V": try push(.text(PickleText.unescaped(try cursor.take(until: 0x0A))))
    case "T": try push(.init(stringBytes: try cursor.take(try cursor.little(Int32.self))))
    case "U": try push(.init(stringBytes: try cursor.take(try cursor.byte())))
    case "X": try push(.init(stringBytes: try cursor.take(try cursor.little(UInt32.self))))
    case "\u{8C}": try push(.init(stringBytes: try cursor.take(try cursor.byte())))
    case "\u{8D}": try push(.init(stringBytes: try cursor.take(try cursor.little(UInt64.self))))
    case "B": try push(.data(Array(try cursor.take(try cursor.little(UInt32.self)))))
    case "C": try push(.data(Array(try cursor.take(try cursor.byte()))))
    case "\u{8E}", "\u{96}":
      try push(.data(Array(try cursor.take(try cursor.little(UInt64.self)))))
    default: return false
    }
    return true
  }

  /// Carries out an opcode for a list, a tuple, a set or a dictionary.
  private mutating func readContainer(_ code: UInt8) throws(FormatError) -> Bool {
    switch Unicode.Scalar(code) {
    case "]", ")", "\u{8F}": stack.append(try objects.list([]))
    case "l", "t", "\u{91}": stack.append(try objects.list(try popToMark()))
    case "\u{85}", "\u{86}", "\u{87}":
      let count = Int(code) - 0x84
      guard stack.count - (marks.last ?? 0) >= count else { throw FormatError.missing("value") }
      let elements = Array(stack.suffix(count))
      stack.removeLast(count)
      stack.append(try objects.list(elements[...]))
    case "a":
      let element = try pop()
      try objects.append([element], to: try top())
    case "e", "\u{90}":
      let elements = try popToMark()
      try objects.append(elements, to: try top())
    case "}": stack.append(try objects.dictionary([]))
    case "d": stack.append(try objects.dictionary(try popToMark()))
    case "s":
      let value = try pop()
      let key = try pop()
      try objects.set([key, value], in: try top())
    case "u":
      let members = try popToMark()
      try objects.set(members, in: try top())
    default: return false
    }
    return true
  }

  /// Carries out an opcode for a class or an instance of one.
  private mutating func readObject(_ code: UInt8) throws(FormatError) -> Bool {
    switch Unicode.Scalar(code) {
    case "c": stack.append(try objects.global(try line(), try line()))
    case "\u{93}":
      let name = try pop()
      stack.append(try objects.global(objects.text(try pop()), objects.text(name)))
    case "R":
      let arguments = try pop()
      stack.append(try objects.call(try pop(), arguments))
    case "\u{81}":
      let arguments = try pop()
      stack.append(try objects.instance(of: try pop(), arguments))
    case "\u{92}":
      let named = try pop()
      let arguments = try pop()
      let object = try objects.instance(of: try pop(), arguments)
      if !objects.isEmpty(named) {
        try objects.graph.set("keyword arguments", to: named, of: object)
      }
      stack.append(object)
    case "o":
      let parts = try popToMark()
      guard let type = parts.first else { throw FormatError.missing("value") }
      stack.append(try objects.call(type, try objects.list(parts.dropFirst())))
    case "i":
      let type = try objects.global(try line(), try line())
      stack.append(try objects.call(type, try objects.list(try popToMark())))
    case "b":
      let state = try pop()
      try objects.build(try top(), from: state)
    case "P":
      let id = try objects.graph.add(.text(try line()))
      stack.append(try objects.reference("persistent id", id))
    case "Q": stack.append(try objects.reference("persistent id", try pop()))
    case "\u{82}": try pushExtension(UInt32(try cursor.byte()))
    case "\u{83}": try pushExtension(UInt32(try cursor.little(UInt16.self)))
    case "\u{84}": try pushExtension(try cursor.little(UInt32.self))
    case "\u{97}":
      stack.append(try objects.reference("out-of-band buffer", try objects.graph.add(.null)))
    case "\u{98}": _ = try top()
    default: return false
    }
    return true
  }

  // MARK: Stack

  private mutating func push(_ value: StoredValue) throws(FormatError) {
    stack.append(try objects.graph.add(value))
  }

  private mutating func pushExtension(_ number: UInt32) throws(FormatError) {
    stack.append(
      try objects.reference("extension", try objects.graph.add(.integer(Int64(number)))))
  }

  private func top() throws(FormatError) -> Int {
    guard let last = stack.last, stack.count > marks.last ?? 0 else {
      throw FormatError.missing("value")
    }
    return last
  }

  private mutating func pop() throws(FormatError) -> Int {
    let last = try top()
    stack.removeLast()
    return last
  }

  private mutating func popToMark() throws(FormatError) -> ArraySlice<Int> {
    guard let mark = marks.popLast() else { throw FormatError.missing("mark") }
    // A slice of the stack would keep it alive, so that the next change copies all of it.
    let objects = Array(stack.suffix(from: min(mark, stack.count)))
    stack.removeLast(objects.count)
    return objects[...]
  }

  private mutating func recall(_ number: UInt64) throws(FormatError) {
    guard let object = memo[number] else { throw FormatError.danglingReference }
    stack.append(object)
  }

  private mutating func line() throws(FormatError) -> String {
    String(lossy: try cursor.take(until: 0x0A))
  }

  private mutating func decimal() throws(FormatError) -> UInt64 {
    guard let number = UInt64(try line()) else { throw FormatError.invalidNumber }
    return number
  }

  private func integer(_ digits: String) throws(FormatError) -> StoredValue {
    let value = StoredValue(digits: digits)
    if case .integer = value { return value }
    let magnitude = digits.hasPrefix("-") ? digits.dropFirst() : digits[...]
    guard !magnitude.isEmpty, magnitude.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
      throw FormatError.invalidNumber
    }
    return value
  }
}
