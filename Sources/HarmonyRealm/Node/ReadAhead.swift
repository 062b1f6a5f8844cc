import Harmony

/// A read-ahead buffer for sequential reads.
///
/// Reads that continue after the last one fetch a larger block of the file; random reads fetch only
/// what is requested. It may be used by several threads.
final class ReadAhead: Sendable {
  private struct State {
    /// The offset of the buffered block.
    var start = 0
    var bytes: [UInt8] = []
    /// The end of the last read.
    var last = 0
  }

  /// The size of a block for sequential reads.
  private static let stretch = 256 << 10
  /// The maximum gap between sequential reads.
  private static let nearby = 64 << 10

  private let descriptor: RealmDescriptor
  private let state = Locked(State())

  init(_ descriptor: RealmDescriptor) {
    self.descriptor = descriptor
  }

  /// Returns at least the wanted number of bytes at an offset; fewer only at the limit or the end
  /// of the file.
  func bytes(at place: Int, wanted: Int, limit: Int) throws(RealmError) -> ArraySlice<UInt8> {
    let held = state.withLock { state -> ArraySlice<UInt8>? in
      let begin = place - state.start
      if begin >= 0, begin + wanted <= state.bytes.count {
        state.last = place + wanted
        return state.bytes[begin...]
      }
      return nil
    }
    if let held { return held }
    let isInOrder = state.withLock { state in
      defer { state.last = place + wanted }
      return place >= state.last && place - state.last < Self.nearby
    }
    guard isInOrder, wanted < Self.stretch else {
      return try descriptor.available(at: place, count: min(wanted, limit - place))[...]
    }
    let bytes = try descriptor.available(at: place, count: min(Self.stretch, limit - place))
    state.withLock { state in
      state.start = place
      state.bytes = bytes
    }
    return bytes[...]
  }
}
