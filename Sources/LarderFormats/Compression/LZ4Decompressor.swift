/// Decompresses LZ4 frames with liblz4.
final class LZ4Decompressor: Decompressor {
  /// The functions of the library, by the names that they have there after `LZ4F_`.
  private struct Library {
    let createDecompressionContext:
      @convention(c) (UnsafeMutablePointer<OpaquePointer?>, UInt32) -> Int
    let freeDecompressionContext: @convention(c) (OpaquePointer) -> Int
    let decompress:
      @convention(c) (
        OpaquePointer, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>, UnsafeRawPointer?,
        UnsafeMutablePointer<Int>, UnsafeRawPointer?
      ) -> Int
    let isError: @convention(c) (Int) -> UInt32
    let getErrorName: @convention(c) (Int) -> UnsafePointer<CChar>

    init() throws(RuntimeLibrary.Missing) {
      let library = try RuntimeLibrary("liblz4.so.1")
      createDecompressionContext = try library.function("LZ4F_createDecompressionContext")
      freeDecompressionContext = try library.function("LZ4F_freeDecompressionContext")
      decompress = try library.function("LZ4F_decompress")
      isError = try library.function("LZ4F_isError")
      getErrorName = try library.function("LZ4F_getErrorName")
    }
  }

  private static let library = try? Library()
  /// Whether the library is installed.
  static var isAvailable: Bool { library != nil }

  private let library: Library
  private let context: OpaquePointer

  init?() {
    guard let library = Self.library else { return nil }
    var context: OpaquePointer?
    // The number is the version of the library's interface.
    let result = library.createDecompressionContext(&context, 100)
    guard library.isError(result) == 0, let context else { return nil }
    self.library = library
    self.context = context
  }

  deinit { _ = library.freeDecompressionContext(context) }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) -> DecompressionStep {
    var used = input.count
    var written = output.count
    let result = library.decompress(
      context, output.baseAddress, &written, input.baseAddress, &used, nil)
    guard library.isError(result) == 0 else {
      // The counts are not valid after an error.
      return DecompressionStep(
        used: 0, written: 0, status: .failed(String(cString: library.getErrorName(result))))
    }
    return DecompressionStep(used: used, written: written, status: result == 0 ? .end : .more)
  }

  // The next call starts another frame.
  func restart() -> Bool { true }
}
