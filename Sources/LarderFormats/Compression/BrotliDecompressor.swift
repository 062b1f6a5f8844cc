import LarderModel

/// Decompresses Brotli streams (RFC 7932) with libbrotlidec.
final class BrotliDecompressor: Decompressor {
  /// The functions of the library, by the names that they have there after `BrotliDecoder`.
  private struct Library {
    let createInstance:
      @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?)
        -> OpaquePointer?
    let destroyInstance: @convention(c) (OpaquePointer) -> Void
    let decompressStream:
      @convention(c) (
        OpaquePointer, UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafePointer<UInt8>?>,
        UnsafeMutablePointer<Int>, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
        UnsafeMutablePointer<Int>?
      ) -> Int32

    init() throws(RuntimeLibrary.Missing) {
      let library = try RuntimeLibrary("libbrotlidec.so.1")
      createInstance = try library.function("BrotliDecoderCreateInstance")
      destroyInstance = try library.function("BrotliDecoderDestroyInstance")
      decompressStream = try library.function("BrotliDecoderDecompressStream")
    }
  }

  private static let library = try? Library()
  /// Whether the library is installed.
  static var isAvailable: Bool { library != nil }

  private let library: Library
  private let state: OpaquePointer

  init?() {
    guard let library = Self.library, let state = library.createInstance(nil, nil, nil) else {
      return nil
    }
    self.library = library
    self.state = state
  }

  deinit { library.destroyInstance(state) }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) -> DecompressionStep {
    var from = input.baseAddress
    var to = output.baseAddress
    var unread = input.count
    var room = output.count
    let result = library.decompressStream(state, &unread, &from, &room, &to, nil)
    let status: DecompressionStep.Status =
      switch result {
      case 0: .failed(FormatError.invalidCompression.reason)
      case 1: .end
      default: .more
      }
    return DecompressionStep(
      used: input.count - unread, written: output.count - room, status: status)
  }

  // A second stream could not be told from other bytes.
  func restart() -> Bool { false }
}
