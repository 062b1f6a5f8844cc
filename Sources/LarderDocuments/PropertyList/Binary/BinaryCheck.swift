/// Validates that the objects of a binary property list form a tree or an acyclic graph.
///
/// Uses two bytes per object, and time proportional to the file size: overlapping objects are
/// rejected once their total size exceeds a small multiple of the file size.
struct BinaryCheck {
  private static let inProgress = UInt16.max
  private let table: BinaryTable
  /// The height of the tree below each object, from 1; 0 if it is not known yet.
  private var heights: [UInt16]
  private var open: [(number: Int, object: BinaryObject, next: Int, height: UInt16)] = []
  private var bytesLeft: Int

  /// Validates all objects reachable from the root.
  static func check(_ table: BinaryTable) throws(DocumentError) {
    var check = BinaryCheck(table)
    try check.run()
  }

  private init(_ table: BinaryTable) {
    self.table = table
    heights = Array(repeating: 0, count: table.count)
    bytesLeft = table.bytes.count * 4
  }

  private mutating func run() throws(DocumentError) {
    try enter(table.top)
    while var last = open.popLast() {
      if last.next < last.object.references {
        let child = try table.reference(last.next, of: last.object)
        last.next += 1
        if heights[child] == Self.inProgress {
          throw DocumentError.recursive(child)
        }
        if heights[child] > 0 { last.height = max(last.height, heights[child]) }
        open.append(last)
        if heights[child] == 0 { try enter(child) }
      } else {
        let height = last.height + 1
        guard height <= XMLCursor.maximumDepth else { throw DocumentError.deepList }
        heights[last.number] = height
        if let parent = open.indices.last {
          open[parent].height = max(open[parent].height, height)
        }
      }
    }
  }

  private mutating func enter(_ number: Int) throws(DocumentError) {
    let object = try table.object(number)
    bytesLeft -= object.range.count
    guard bytesLeft >= 0 else {
      throw DocumentError.overlap
    }
    guard open.count < XMLCursor.maximumDepth else { throw DocumentError.deepList }
    if object.kind == .dictionary { try checkNames(of: object) }
    heights[number] = Self.inProgress
    open.append((number, object, 0, 0))
  }

  /// Checks that all names are text and that together they fit into the file, since they must not
  /// overlap.
  private func checkNames(of dictionary: BinaryObject) throws(DocumentError) {
    var left = table.bytes.count
    for index in 0..<dictionary.count {
      let name = try table.object(try table.reference(index, of: dictionary))
      guard name.isText else {
        throw DocumentError.nonTextName
      }
      left -= name.range.count
      guard left >= 0 else {
        throw DocumentError.longNames
      }
    }
  }
}
