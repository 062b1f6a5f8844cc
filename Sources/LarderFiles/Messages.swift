// The sentences of this target that users can see: clauses that follow "as" or a colon.

extension OwnerOnlyFile.Obstacle {
  static let danglingLink = Self(reason: "it is a link to a file that does not exist")
  static let unusableFolder = Self(reason: "its folder can be neither created nor entered")

  static func readableByOthers(_ failure: FileFailure) -> Self {
    Self(reason: "others may read it, and its permissions cannot be changed: \(failure.message)")
  }
}
