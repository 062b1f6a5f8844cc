import CZlib

/// The result of decompressing gzip or zlib data, complete or partial.
struct Inflation {
  /// The compression format.
  enum Form: String {
    case gzip
    case zlib

    /// Detects the format from the header, or returns nil if it is neither.
    init?(of bytes: [UInt8]) {
      guard bytes.count > 2 else { return nil }
      if bytes[0] == 0x1F, bytes[1] == 0x8B, bytes[2] == 8 {
        self = .gzip
      } else if bytes[0] & 0x0F == 8, bytes[0] >> 4 <= 7, bytes[1] & 0x20 == 0,
        (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
      {
        self = .zlib
      } else {
        return nil
      }
    }
  }

  /// The maximum number of decompressed bytes, since a few bytes can expand to many.
  static let maximum = 16 << 20

  /// The decompressed bytes.
  private(set) var bytes: [UInt8] = []
  /// Whether the output was truncated at the limit.
  private(set) var isCut = false
  /// The reason why decompression failed; the output before that point is available.
  private(set) var problem: String?

  /// Decompresses gzip data, including several concatenated members, or zlib data.
  init(_ compressed: [UInt8], limit: Int = maximum) {
    var stream = z_stream()
    guard cz_inflate_start(&stream) == Z_OK else {
      problem = "there is no memory to decompress it"
      return
    }
    defer { inflateEnd(&stream) }
    var place = 0
    while true {
      let step = Self.step(&stream, compressed, from: place)
      place += step.used
      let room = limit - bytes.count
      if step.output.count > room { isCut = true }
      bytes += step.output.prefix(room)
      if isCut { return }
      switch step.status {
      case Z_OK where step.used > 0 || !step.output.isEmpty: continue
      case Z_STREAM_END:
        // More gzip members may follow; any other trailing data is ignored.
        guard Form(of: Array(compressed[place...].prefix(3))) == .gzip,
          inflateReset(&stream) == Z_OK
        else { return }
      case Z_OK, Z_BUF_ERROR: problem = "it ends too early"
      case Z_NEED_DICT: problem = "it was compressed with a dictionary that is not in it"
      default: problem = stream.msg.map { String(cString: $0) } ?? "it is damaged"
      }
      if problem != nil { return }
    }
  }

  /// Decompresses a chunk.
  private static func step(
    _ stream: inout z_stream, _ compressed: [UInt8], from place: Int
  ) -> (status: Int32, used: Int, output: [UInt8]) {
    let size = 1 << 16
    var status = Z_OK
    var used = 0
    let output = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      compressed.withUnsafeBufferPointer { all in
        let input = all[place...].prefix(size)
        // The library takes a mutable pointer but does not write through it.
        stream.next_in = UnsafeMutablePointer(
          mutating: UnsafeBufferPointer(rebasing: input).baseAddress)
        stream.avail_in = UInt32(input.count)
        stream.next_out = buffer.baseAddress
        stream.avail_out = UInt32(size)
        status = inflate(&stream, Z_NO_FLUSH)
        used = input.count - Int(stream.avail_in)
        count = size - Int(stream.avail_out)
      }
      stream.next_in = nil
      stream.next_out = nil
    }
    return (status, used, output)
  }
}
