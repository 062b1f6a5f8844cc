import Harmony

/// A committed state of a file, which is read node by node.
///
/// Recently read nodes are cached, up to a fixed size. They belong to this state only if the header
/// still refers to it after they were read; ``RealmFile`` checks this. It may be used by several
/// threads.
final class RealmSnapshot: Sendable {
  let descriptor: RealmDescriptor
  let header: RealmHeader
  let fileSize: Int
  /// The end of the state, which all references are before.
  let limit: Int
  /// The top node; nil for an empty database.
  let top: RealmNode?
  let version: UInt64
  private let cache = Locked(NodeCache())
  private let ahead: ReadAhead
  private let described = Locked<RealmSchema?>(nil)

  private static let readable: Set<Int> = [10, 11, 20, 21, 22, 23, 24]
  /// The number of bytes to read while the length of a node is unknown.
  private static let stretch = 4_096
  /// The same for a long value, as most of these are not very long.
  private static let shortValue = 256

  init(_ descriptor: RealmDescriptor) throws(RealmError) {
    self.descriptor = descriptor
    ahead = ReadAhead(descriptor)
    let size = try descriptor.size()
    header = try RealmHeader(descriptor, fileSize: size)
    let format = header.format
    guard size.isMultiple(of: 8) else {
      throw .cutOff
    }
    // Read after the header, so that the file has at least the length of the state in the header.
    fileSize = try descriptor.size()
    guard header.top != 0 else {
      top = nil
      version = 1
      limit = fileSize
      return
    }
    guard Self.readable.contains(format) else { throw .unsupported(format: format) }
    let ref =
      header.isStreaming ? try RealmHeader.footer(descriptor, fileSize: fileSize) : header.top
    let end = header.isStreaming ? fileSize - 16 : fileSize
    let node = try Self.node(ref, descriptor, limit: end)
    guard node.hasRefs, !node.isInner, node.count >= 3, node.count <= 16 else {
      throw .noDatabase
    }
    let logical = Int(clamping: try node.tagged(2))
    // A file that is shorter than its logical size was truncated.
    guard header.isStreaming || logical <= fileSize else {
      throw .cutOff(fileSize, of: logical)
    }
    limit = header.isStreaming ? end : logical
    top = node
    version = try node.optionalTagged(6) ?? 1
  }

  /// Returns whether the file still refers to this state as the current one.
  func isCurrent() -> Bool {
    guard let size = try? descriptor.size(),
      let now = try? RealmHeader(descriptor, fileSize: size), now == header
    else { return false }
    guard top != nil else { return true }
    if header.isStreaming { return size == fileSize }
    // A later state may have the same reference.
    guard let node = try? Self.node(header.top, descriptor, limit: size) else { return false }
    return (try? node.optionalTagged(6) ?? 1) == version
  }

  /// Returns a node, from the cache if possible.
  func node(_ ref: Int) throws(RealmError) -> RealmNode {
    if let node = cache.withLock({ $0[ref] }) { return node }
    let node = try Self.node(UInt64(ref), limit: limit) { place, count throws(RealmError) in
      try ahead.bytes(at: place, wanted: count, limit: limit)
    }
    cache.withLock { $0.keep(node, ref) }
    return node
  }

  /// Returns the payload of a node of plain bytes; nil for other nodes.
  ///
  /// It is not cached, because long values are mostly read once.
  func plainBytes(_ ref: Int) throws(RealmError) -> ArraySlice<UInt8>? {
    try Self.check(UInt64(ref), limit)
    let start = try ahead.bytes(
      at: ref, wanted: min(Self.shortValue, limit - ref), limit: limit)
    let header = try RealmNode.Header(start)
    guard header.layout == .raw || header.layout == .bytes, header.flags & 0xE0 == 0 else {
      return nil
    }
    let size = header.payloadSize
    guard size <= RealmNode.maximumPayload, size <= limit - ref - RealmNode.headerSize else {
      throw .longNode
    }
    let whole = RealmNode.headerSize + size
    if whole <= start.count { return start.dropFirst(RealmNode.headerSize).prefix(size) }
    let bytes = try ahead.bytes(at: ref, wanted: whole, limit: limit)
    guard bytes.count >= whole else { throw .shortNode }
    return bytes.dropFirst(RealmNode.headerSize).prefix(size)
  }

  /// Returns the classes and properties, which are read only once.
  func schema() throws(RealmError) -> RealmSchema {
    if let schema = described.withLock({ $0 }) { return schema }
    let schema = try RealmSchema(self)
    described.withLock { $0 = schema }
    return schema
  }

  private static func check(_ ref: UInt64, _ limit: Int) throws(RealmError) {
    guard ref & 7 == 0, ref >= UInt64(RealmHeader.size), ref <= UInt64(max(limit, 0)),
      limit - Int(ref) >= RealmNode.headerSize
    else { throw .invalidReference }
  }

  private static func node(
    _ ref: UInt64, _ descriptor: RealmDescriptor, limit: Int
  ) throws(RealmError) -> RealmNode {
    try node(ref, limit: limit) { place, count throws(RealmError) in
      try descriptor.available(at: place, count: count)[...]
    }
  }

  private static func node(
    _ ref: UInt64, limit: Int, _ read: (Int, Int) throws(RealmError) -> ArraySlice<UInt8>
  ) throws(RealmError) -> RealmNode {
    try check(ref, limit)
    let offset = Int(ref)
    let start = try read(offset, min(stretch, limit - offset))
    let header = try RealmNode.Header(start)
    let size = header.payloadSize
    guard size <= RealmNode.maximumPayload, size <= limit - offset - RealmNode.headerSize else {
      throw .longNode
    }
    let whole = RealmNode.headerSize + size
    let bytes = whole <= start.count ? start : try read(offset, whole)
    return try RealmNode(
      header, payload: Array(bytes.dropFirst(RealmNode.headerSize).prefix(size)))
  }
}

/// A cache of recently read nodes in two generations; the older one is evicted as a whole.
private struct NodeCache {
  private var young: [Int: RealmNode] = [:]
  private var old: [Int: RealmNode] = [:]
  private var size = 0
  private static let maximumSize = 4 << 20
  private static let maximumNode = 64 << 10

  subscript(ref: Int) -> RealmNode? { young[ref] ?? old[ref] }

  mutating func keep(_ node: RealmNode, _ ref: Int) {
    guard node.payload.count <= Self.maximumNode else { return }
    if size >= Self.maximumSize {
      old = young
      young = [:]
      size = 0
    }
    young[ref] = node
    size += node.payload.count + 128
  }
}
