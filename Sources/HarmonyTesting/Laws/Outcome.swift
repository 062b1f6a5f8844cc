import Harmony

/// The result of a call in a form that can be compared.
enum Outcome<Value: Sendable & Equatable>: Equatable, Sendable, CustomStringConvertible {
  case value(Value)
  case failure(String)

  static var notFound: Outcome { .failure(name(of: CoreError.NotFound())) }
  static var notSupported: Outcome { .failure(name(of: CoreError.QueryNotSupported())) }
  static var illegalArgument: Outcome { .failure(name(of: CoreError.IllegalArgument())) }

  var description: String {
    switch self {
    case .value(let value): "\(value)"
    case .failure(let name): name
    }
  }

  /// Waits for a future.
  init(_ future: Future<Value>) async {
    do {
      self = .value(try await future.get())
    } catch {
      self = .failure(Self.name(of: error))
    }
  }

  private static func name(of error: any Error) -> String {
    "\(type(of: error))"
  }
}

/// The result of a call without a value.
struct Done: Equatable, Sendable {}

extension Outcome where Value == Done {
  static var done: Outcome { .value(Done()) }

  init(_ future: Future<Void>) async {
    await self.init(future.map { Done() })
  }
}
