/// Decompresses Zstandard frames (RFC 8878) with libzstd.
final class ZstdDecompressor: Decompressor {
  /// The functions of the library, by the names that they have there after `ZSTD_`.
  private struct Library {
    /// A pointer to the address, the size and the position of a buffer.
    typealias Buffer = UnsafeMutableRawPointer

    let createDStream: @convention(c) () -> OpaquePointer?
    let freeDStream: @convention(c) (OpaquePointer) -> Int
    let decompressStream: @convention(c) (OpaquePointer, Buffer, Buffer) -> Int
    let isError: @convention(c) (Int) -> UInt32
    let getErrorName: @convention(c) (Int) -> UnsafePointer<CChar>

    init() throws(RuntimeLibrary.Missing) {
      let library = try RuntimeLibrary("libzstd.so.1")
      createDStream = try library.function("ZSTD_createDStream")
      freeDStream = try library.function("ZSTD_freeDStream")
      decompressStream = try library.function("ZSTD_decompressStream")
      isError = try library.function("ZSTD_isError")
      getErrorName = try library.function("ZSTD_getErrorName")
    }
  }

  private static let library = try? Library()
  /// Whether the library is installed.
  static var isAvailable: Bool { library != nil }

  private let library: Library
  private let stream: OpaquePointer

  init?() {
    guard let library = Self.library, let stream = library.createDStream() else { return nil }
    self.library = library
    self.stream = stream
  }

  deinit { _ = library.freeDStream(stream) }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) -> DecompressionStep {
    var from = (address: UnsafeRawPointer(input.baseAddress), size: input.count, place: 0)
    var to = (address: UnsafeMutableRawPointer(output.baseAddress), size: output.count, place: 0)
    let result = library.decompressStream(stream, &to, &from)
    let status: DecompressionStep.Status =
      if library.isError(result) != 0 {
        .failed(String(cString: library.getErrorName(result)))
      } else {
        result == 0 ? .end : .more
      }
    return DecompressionStep(used: from.place, written: to.place, status: status)
  }

  // The next call starts another frame.
  func restart() -> Bool { true }
}
