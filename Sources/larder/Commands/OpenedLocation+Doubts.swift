import LarderCore

extension OpenedLocation {
  /// What was assumed of until when entries count, and may be otherwise: whoever deletes what has
  /// expired has to know it.
  private var doubts: [String] { expiry?.doubts ?? [] }

  private var expiry: CollectionExpiry? {
    let name = store.location.collection
    let collection = open.collections.first { $0.name == name || open.collections.count == 1 }
    return collection?.expiry
  }

  /// Refuses to choose entries by when they end, where that may be a date of what they are about, and
  /// says where nothing of that is known.
  ///
  /// - Parameter outcome: What became of it, as a clause.
  /// - Throws: `Failure` that says so, and how a person says otherwise.
  func checkCertainty(_ outcome: String) throws {
    if !store.capabilities.contains(.expiry) {
      Output.complain("\(unknownExpiry). \(expiryAdvice)")
    }
    if let doubt = doubt(outcome) { throw Failure(.refused, doubt) }
  }

  /// That ends may be dates of what entries are about, and how a person says otherwise; nil where they
  /// are ends.
  ///
  /// - Parameter outcome: What became of what was asked for, as a clause.
  /// - Returns: A sentence without its end.
  func doubt(_ outcome: String) -> String? {
    expiry.flatMap { expiry in
      expiry.doubt.map {
        "\($0); \(outcome). Where it says until when they count, add --expires-column \(expiry.column)"
      }
    }
  }

  /// The same as the rest of a question.
  var spokenDoubts: String { doubts.map { " Note that \($0)." }.joined() }

  /// Says the same beside what is printed.
  func complainOfDoubts() {
    for doubt in doubts { Output.complain(doubt) }
  }
}
