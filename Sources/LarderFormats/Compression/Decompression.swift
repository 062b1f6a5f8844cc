import LarderModel

/// The result of decompressing bytes, complete or partial.
struct Decompression {
  /// The maximum number of decompressed bytes, since a few bytes can expand to many.
  static let maximum = 16 << 20

  /// The decompressed bytes.
  private(set) var bytes: [UInt8] = []
  /// Whether the output was truncated at the limit.
  private(set) var isCut = false
  /// Whether all of the input was decompressed, to the last byte.
  private(set) var isWhole = false
  /// The reason why decompression failed; the output before that point is available.
  private(set) var problem: String?

  /// Decompresses bytes, including several concatenated streams.
  ///
  /// Other bytes after the end are ignored.
  init(_ compressed: [UInt8], as codec: Codec, limit: Int = maximum) {
    if codec == .snappy {
      let snappy = Snappy(compressed, limit: limit)
      (bytes, isCut, problem) = (snappy.bytes, snappy.isCut, snappy.problem)
      isWhole = problem == nil && !isCut
      return
    }
    guard let decompressor = codec.makeDecompressor() else {
      problem = FormatError.noMemory.reason
      return
    }
    var place = 0
    while true {
      let (step, output) = Self.step(decompressor, compressed, from: place, limit - bytes.count)
      place += step.used
      let room = limit - bytes.count
      bytes += output.prefix(room)
      if output.count > room {
        isCut = true
        return
      }
      switch step.status {
      case .more where step.used > 0 || step.written > 0: continue
      case .more: problem = FormatError.endsEarly.reason
      case .end:
        guard Codec(of: compressed[place...]) == codec, decompressor.restart() else {
          isWhole = place == compressed.count
          return
        }
      case .failed(let reason): problem = reason
      }
      if problem != nil { return }
    }
  }

  /// Decompresses a chunk, whose output may exceed the remaining room by one byte.
  private static func step(
    _ decompressor: any Decompressor, _ compressed: [UInt8], from place: Int, _ room: Int
  ) -> (step: DecompressionStep, output: [UInt8]) {
    let size = 1 << 16
    var step = DecompressionStep(used: 0, written: 0, status: .more)
    let output = [UInt8](unsafeUninitializedCapacity: min(size, room + 1)) { buffer, count in
      compressed.withUnsafeBufferPointer { all in
        let input = UnsafeBufferPointer(rebasing: all[place...].prefix(size))
        step = decompressor.step(input, UnsafeMutableBufferPointer(rebasing: buffer[...]))
      }
      count = step.written
    }
    return (step, output)
  }
}

/// A library's state while it decompresses a stream.
protocol Decompressor: AnyObject {
  /// Decompresses as much of the input as fits in the output.
  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) -> DecompressionStep
  /// Prepares for another stream after the end of one, and returns false if that is impossible.
  func restart() -> Bool
}

/// The outcome of one call to a decompressor.
struct DecompressionStep {
  enum Status {
    /// The stream continues.
    case more
    /// The stream is complete.
    case end
    /// The stream is damaged, for the given reason.
    case failed(String)
  }

  /// The number of bytes that were read.
  let used: Int
  /// The number of bytes that were written.
  let written: Int
  let status: Status
}
