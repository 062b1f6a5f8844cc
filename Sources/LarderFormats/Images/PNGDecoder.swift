import CZlib
import LarderModel

/// A decoder for PNG images, which works row by row.
struct PNGDecoder {
  private let bytes: [UInt8]
  private let width: Int
  private let height: Int
  private let format: PNGPixels
  private let isInterlaced: Bool
  /// The ranges of the compressed pixel data.
  private var data: [Range<Int>] = []
  private var problem: String?

  /// Reads everything except the pixels.
  ///
  /// - Throws: `FormatError` if the image is invalid or unsupported.
  init(_ bytes: [UInt8]) throws(FormatError) {
    self.bytes = bytes
    let header = ImageHeader(bytes)
    guard header.has("IHDR", at: 12), header.big(8, 4) == 13, let width = header.big(16, 4),
      let height = header.big(20, 4), let depth = header[24], let colors = header[25],
      let compression = header[26], let filter = header[27], let interlacing = header[28]
    else { throw .invalidHeader }
    guard compression == 0, filter == 0, interlacing <= 1 else {
      throw .unknownFilter
    }
    try PictureDecoder.check(width: width, height: height)
    self.width = width
    self.height = height
    isInterlaced = interlacing == 1
    guard var format = PNGPixels(depth: depth, colors: colors) else {
      throw .unknownColors(bits: depth, type: colors)
    }
    var data: [Range<Int>] = []
    var problem: String?
    var place = 8
    chunks: while let length = header.big(place, 4) {
      let body = place + 8
      guard length <= bytes.count - body - 4, body + length + 4 <= bytes.count else {
        problem = FormatError.endsEarly.reason
        // The available part of a truncated chunk is still decoded.
        if header.has("IDAT", at: place + 4), body < bytes.count { data.append(body..<bytes.count) }
        break
      }
      let range = body..<(body + length)
      let name = String(decoding: bytes[(place + 4)..<body], as: UTF8.self)
      if header.big(body + length, 4) != Self.checkSum(bytes[(place + 4)..<(body + length)]) {
        problem = problem ?? FormatError.wrongChecksum(ofChunk: Self.shown(name)).reason
      }
      switch name {
      case "IHDR": break
      case "PLTE": format.setPalette(bytes[range])
      case "tRNS": format.setTransparency(bytes[range])
      case "IDAT": data.append(range)
      case "IEND": break chunks
      default:
        guard let first = bytes[(place + 4)..<body].first, first & 0x20 == 0 else { break }
        throw .unknownChunk(Self.shown(name))
      }
      place = body + length + 4
    }
    self.format = format
    self.data = data
    self.problem = problem
    guard !data.isEmpty else { throw problem.map { FormatError($0) } ?? .noPixels }
    guard format.hasColors else { throw .missing("palette") }
  }

  private static func shown(_ name: String) -> String {
    name.allSatisfy { $0.isASCII && $0.isLetter } ? name : "?"
  }

  private static func checkSum(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { Int(crc32(0, $0.baseAddress, UInt32(clamping: $0.count))) }
  }

  /// The Adam7 passes of an interlaced image: the offset of the first pixel, and the step sizes.
  private static let passes: [Pass] = [
    Pass(x: 0, y: 0, dx: 8, dy: 8), Pass(x: 4, y: 0, dx: 8, dy: 8), Pass(x: 0, y: 4, dx: 4, dy: 8),
    Pass(x: 2, y: 0, dx: 4, dy: 4), Pass(x: 0, y: 2, dx: 2, dy: 4), Pass(x: 1, y: 0, dx: 2, dy: 2),
    Pass(x: 0, y: 1, dx: 1, dy: 2),
  ]

  private struct Pass {
    var x: Int
    var y: Int
    var dx: Int
    var dy: Int
  }

  /// Decodes the pixels, stopping where the data ends.
  mutating func decode(_ isCancelled: () -> Bool) -> DecodedPicture {
    var sums = PictureDecoder.sums(width, height)
    guard let reader = PNGRows(bytes, data) else {
      return DecodedPicture(problem: FormatError.noMemory.reason)
    }
    let passes = isInterlaced ? Self.passes : [Pass(x: 0, y: 0, dx: 1, dy: 1)]
    var count = 0
    reading: for pass in passes {
      let columns = (width - pass.x + pass.dx - 1) / pass.dx
      guard columns > 0 else { continue }
      let size = (columns * format.bits + 7) / 8
      var row = [UInt8](repeating: 0, count: size)
      var before = row
      for y in stride(from: pass.y, to: height, by: pass.dy) {
        count += 1
        if count % 64 == 0, isCancelled() { break reading }
        guard let filter = reader.next(into: &row) else {
          problem = problem ?? reader.problem ?? FormatError.endsEarly.reason
          break reading
        }
        guard Self.undo(filter, &row, before, step: max(1, format.bits / 8)) else {
          problem = problem ?? FormatError.unknownFilter.reason
          break reading
        }
        sums.add(format.pixels(row, count: columns), y: y, from: pass.x, by: pass.dx)
        swap(&row, &before)
      }
    }
    if problem == nil, !isCancelled() { problem = reader.finish() }
    return DecodedPicture(picture: sums.picture, problem: problem)
  }

  /// Reverses the filter of a row, which encodes differences from the bytes to the left and above.
  ///
  /// Returns false if the filter is unknown.
  private static func undo(
    _ filter: UInt8, _ row: inout [UInt8], _ above: [UInt8], step: Int
  ) -> Bool {
    let indices = row.indices
    switch filter {
    case 0: break
    case 1: for place in indices.dropFirst(step) { row[place] &+= row[place - step] }
    case 2: for place in indices { row[place] &+= above[place] }
    case 3:
      for place in indices {
        let left = place >= step ? Int(row[place - step]) : 0
        row[place] &+= UInt8(truncatingIfNeeded: (left + Int(above[place])) / 2)
      }
    case 4:
      for place in indices {
        let left = place >= step ? Int(row[place - step]) : 0
        let corner = place >= step ? Int(above[place - step]) : 0
        let up = Int(above[place])
        let guess = left + up - corner
        let (far, farUp, farCorner) = (abs(guess - left), abs(guess - up), abs(guess - corner))
        let nearest = far <= farUp && far <= farCorner ? left : farUp <= farCorner ? up : corner
        row[place] &+= UInt8(truncatingIfNeeded: nearest)
      }
    default: return false
    }
    return true
  }
}

/// The rows of a PNG, decompressed one at a time.
private final class PNGRows {
  private let bytes: [UInt8]
  private var data: ArraySlice<Range<Int>>
  /// The zlib stream, which refers to its own address and must not be moved.
  private let stream: UnsafeMutablePointer<z_stream>
  private var isAtEnd = false
  /// The reason why decompression failed.
  private(set) var problem: String?

  init?(_ bytes: [UInt8], _ data: [Range<Int>]) {
    self.bytes = bytes
    self.data = data[...]
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard cz_inflate_start(stream) == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Reads the next row, or returns nil if there is none.
  ///
  /// - Returns: The filter type of the row.
  func next(into row: inout [UInt8]) -> UInt8? {
    var filter: [UInt8] = [0]
    guard fill(&filter), fill(&row) else { return nil }
    return filter[0]
  }

  /// Reads past the last row to verify the checksum and that no data follows.
  ///
  /// Surplus data is not decompressed, as a few bytes can expand to many.
  ///
  /// - Returns: The problem, if there is one.
  func finish() -> String? {
    var rest: [UInt8] = [0]
    return fill(&rest) ? FormatError.surplusBytes.reason : problem
  }

  /// Fills a buffer, and returns false if the data ends first.
  private func fill(_ buffer: inout [UInt8]) -> Bool {
    var filled = 0
    while filled < buffer.count {
      guard !isAtEnd, problem == nil, let range = data.first else {
        if !isAtEnd, problem == nil { problem = FormatError.endsEarly.reason }
        return false
      }
      var used = 0
      var status = Z_OK
      let room = buffer.count - filled
      buffer.withUnsafeMutableBufferPointer { output in
        bytes.withUnsafeBufferPointer { all in
          let input = UnsafeBufferPointer(rebasing: all[range])
          // The library takes a mutable pointer but does not write through it.
          stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
          stream.pointee.avail_in = UInt32(clamping: input.count)
          stream.pointee.next_out = output.baseAddress.map { $0 + filled }
          stream.pointee.avail_out = UInt32(clamping: room)
          status = inflate(stream, Z_NO_FLUSH)
          used = input.count - Int(stream.pointee.avail_in)
        }
      }
      filled += room - Int(stream.pointee.avail_out)
      stream.pointee.next_in = nil
      stream.pointee.next_out = nil
      data[data.startIndex] = (range.lowerBound + used)..<range.upperBound
      if data[data.startIndex].isEmpty { data.removeFirst() }
      switch status {
      case Z_STREAM_END: isAtEnd = true
      case Z_OK, Z_BUF_ERROR: break
      default:
        let message = status == Z_DATA_ERROR ? stream.pointee.msg : nil
        problem = message.map { String(cString: $0) } ?? FormatError.invalidCompression.reason
      }
    }
    return true
  }
}
