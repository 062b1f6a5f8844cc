import Harmony

/// Orders that may overtake each other, of which the last one for a thing has to stay.
final class LastOrders: Sendable {
  private let numbers = Locked<[String: Int]>([:])

  /// Carries out an order, unless a later one for the same thing was carried out before.
  ///
  /// Orders wait for each other, so they have to be short.
  func perform(_ number: Int, for id: String, _ order: () throws -> Void) rethrows {
    try numbers.withLock { numbers in
      guard number > numbers[id] ?? .min else { return }
      numbers[id] = number
      try order()
    }
  }
}
