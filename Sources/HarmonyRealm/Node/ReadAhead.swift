import Harmony

/// What lies behind the places that were read last, as a walk mostly goes on there.
///
/// Whoever reads from place to place in the order of the file gets a stretch of it at once; whoever
/// jumps gets no more than is asked for. May be used by several threads.
final class ReadAhead: Sendable {
  private struct State {
    /// Where the stretch begins that is held.
    var start = 0
    var bytes: [UInt8] = []
    /// Where what was read last ended.
    var last = 0
  }

  /// How much is read at once of what is read in order.
  private static let stretch = 256 << 10
  /// How far places may be apart in a walk in the order of the file.
  private static let nearby = 64 << 10

  private let descriptor: RealmDescriptor
  private let state = Locked(State())

  init(_ descriptor: RealmDescriptor) {
    self.descriptor = descriptor
  }

  /// The bytes from a place on, as many as were wanted or more; fewer only before the limit or at the
  /// end of the file.
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
