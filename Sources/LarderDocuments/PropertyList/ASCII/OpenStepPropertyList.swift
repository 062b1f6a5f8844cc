import LarderModel

/// A read-only property list in the format of NeXTSTEP and OPENSTEP.
struct OpenStepPropertyList: PropertyListForm {
  let list: MemberList
  private let bytes: [UInt8]
  /// The offset of the root value; nil if the file consists of members without braces.
  private let start: Int?
  /// The offsets of the members' values.
  private let places: [Int]

  init(parsing bytes: [UInt8]) throws(DocumentError) {
    guard String(validating: bytes, as: UTF8.self) != nil else {
      throw DocumentError.notPropertyList
    }
    var reader = OpenStepReader(bytes, at: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    var names: [String] = []
    var places: [Int] = []
    func member(
      _ reader: inout OpenStepReader, _ name: String, _ place: Int
    ) throws(DocumentError) {
      names.append(name)
      places.append(place)
      _ = try reader.value(depth: 1, builds: false)
    }
    try reader.skipSpace()
    var isArray = false
    var isBare = false
    let start = reader.place
    switch reader.next {
    case UInt8(ascii: "{"):
      try reader.eachMember(until: UInt8(ascii: "}"), member)
    case UInt8(ascii: "("):
      isArray = true
      try reader.eachElement { reader, place throws(DocumentError) in
        places.append(place)
        _ = try reader.value(depth: 1, builds: false)
      }
    default:
      // A strings file: members without braces.
      guard reader.isAtMember else { throw reader.failure(.notPropertyList) }
      isBare = true
      try reader.eachMember(until: nil, member)
    }
    self.start = isBare ? nil : start
    try reader.skipSpace()
    guard reader.next == nil else { throw reader.failure(.trailingText) }
    list = isArray ? MemberList(count: places.count) : MemberList(names: names)
    self.places = places
    self.bytes = bytes
  }

  var readOnlyReason: String? { Messages.openStep }

  func value(at path: [DocumentStep]) throws(DocumentError) -> StoredValue? {
    guard let step = path.first else {
      guard let start else { return try members() }
      var reader = OpenStepReader(bytes, at: start)
      return try reader.value(depth: 0, builds: true)
    }
    guard let position = list.position(of: step) else { return nil }
    var reader = OpenStepReader(bytes, at: places[position])
    return try reader.value(depth: 1, builds: true).value(at: path.dropFirst())
  }

  /// Returns the members of a file without braces.
  private func members() throws(DocumentError) -> StoredValue {
    var fields: [StoredValue.Field] = []
    for (step, place) in zip(list.steps, places) {
      guard case .name(let name, _) = step else { continue }
      var reader = OpenStepReader(bytes, at: place)
      fields.append(StoredValue.Field(name, try reader.value(depth: 1, builds: true)))
    }
    return .dictionary(fields)
  }

  func applying(
    _ changes: [DocumentChange], forms: [[DocumentStep]: String]
  ) throws(DocumentError) -> [UInt8] {
    throw DocumentError(readOnlyReason ?? "")
  }
}
