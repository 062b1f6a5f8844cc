import LarderCore

extension OpenedLocation {
  /// What was assumed of until when entries count, and may be otherwise: whoever deletes what has
  /// expired has to know it.
  private var doubts: [String] {
    let name = store.location.collection
    let collection = open.collections.first { $0.name == name || open.collections.count == 1 }
    return collection?.expiry?.doubts ?? []
  }

  /// The same as the rest of a question.
  var spokenDoubts: String { doubts.map { " Note that \($0)." }.joined() }

  /// Says the same beside what is printed.
  func complainOfDoubts() {
    for doubt in doubts { Output.complain(doubt) }
  }
}
