import CZlib
import LarderModel

/// Decompresses gzip and zlib data.
final class ZlibDecompressor: Decompressor {
  // The library keeps the address.
  private let stream: UnsafeMutablePointer<z_stream>

  init?() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard cz_inflate_start(stream) == Z_OK else {
      stream.deallocate()
      return nil
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func step(
    _ input: UnsafeBufferPointer<UInt8>, _ output: UnsafeMutableBufferPointer<UInt8>
  ) -> DecompressionStep {
    // The library takes a mutable pointer but does not write through it.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
    stream.pointee.next_out = output.baseAddress
    stream.pointee.avail_out = UInt32(output.count)
    let result = inflate(stream, Z_NO_FLUSH)
    let status: DecompressionStep.Status =
      switch result {
      case Z_OK, Z_BUF_ERROR: .more
      case Z_STREAM_END: .end
      case Z_NEED_DICT: .failed(FormatError.separateDictionary.reason)
      default:
        .failed(
          stream.pointee.msg.map { String(cString: $0) } ?? FormatError.invalidCompression.reason)
      }
    return DecompressionStep(
      used: input.count - Int(stream.pointee.avail_in),
      written: output.count - Int(stream.pointee.avail_out), status: status)
  }

  func restart() -> Bool { inflateReset(stream) == Z_OK }
}
