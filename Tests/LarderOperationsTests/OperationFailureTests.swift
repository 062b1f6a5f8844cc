import LarderModel
import LarderOperations
import Testing

/// What a failure says of what became of the entries.
struct OperationFailureTests {
  @Test func `What became of all entries replaces what the store says of its own part`() {
    let conflict = OperationFailure(StoreError.conflict(current: nil), outcome: "2 were deleted")
    #expect(!conflict.message.contains("nothing was"))
    #expect(conflict.message.hasSuffix("2 were deleted"))
    #expect(!conflict.isTaken)
    let refused = OperationFailure(StoreError.failed("no; nothing was renamed. Try a"))
    #expect(refused.message == "no; nothing was renamed. Try a")
    #expect(OperationFailure(StoreError.failed("no")).message == "no; nothing was written")
  }

  @Test func `The first outcome stays`() {
    let failure = OperationFailure(StoreError.cancelled, outcome: "1 was written")
    #expect(OperationFailure(failure) == failure)
  }

  @Test(arguments: [
    ("the disk is full", 0, "the disk is full; nothing was deleted"),
    ("the disk is full", 2, "the disk is full; 2 entries were deleted before it"),
  ])
  func `A deletion says how many were deleted`(reason: String, count: Int, message: String) {
    #expect(Deletion.failure(StoreError.failed(reason), after: count).message == message)
  }

  @Test func `A deletion that may not last counts all that it deleted`() {
    let doubt = Deletion.failure(StoreError.notDurable("a may be back"), after: 2)
    #expect(doubt.reason == .notDurable("a may be back"))
    #expect(doubt.outcome == "in all, \(OperationFailure.outcome(2, "deleted"))")
    // The text of a message decides nothing.
    let failure = Deletion.failure(StoreError.failed("a was deleted, but failed"), after: 2)
    #expect(failure.outcome == "\(OperationFailure.outcome(2, "deleted")) before it")
  }
}
