import Foundation
import Harmony
import HarmonySQLite
import LarderModel
import LarderJournal
import LarderStores

// A process that writes to documents and is killed by tests.
//
//   DocumentWriter churn FILE SEED JOURNAL  writes and journals members until killed
//   DocumentWriter fill FILE NAME COUNT   writes NAME0, NAME1 and so on, and exits
//   DocumentWriter cramp FILE SIZE        writes with a file size limit of SIZE
//   DocumentWriter defaults VERB SUITE …  accesses defaults; see Defaults.swift
//   DocumentWriter lock FILE SQL          locks a database until killed
//
// Each step prints a line with a single system call, so that lines are never partial.

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

/// A value that can be verified: its number and a number of dots derived from it.
func value(_ number: Int) -> StoredValue {
  .text("\(number):" + String(repeating: ".", count: number % 5 == 0 ? 6_000 : number % 90))
}

func put(_ store: Store, _ key: String, _ number: Int) async throws {
  let entry = Entry(key: .text(key), value: value(number))
  _ = try await store.source.put(entry, in: EntryQuery(entry.key)).get()
}

let arguments = CommandLine.arguments
guard arguments.count >= 4 else { exit(2) }
do {
  if arguments[1] == "defaults" {
    try await useDefaults(Array(arguments.dropFirst(2)))
    exit(0)
  }
  if arguments[1] == "lock" {
    try await SQLiteConnection(path: arguments[2], access: .writing).perform { session in
      try session.execute(arguments[3])
      say("locked")
      while true { pause() }
    }
  }
  let journal = arguments[1] == "churn" && arguments.count > 4 ? Journal(path: arguments[4]) : nil
  let store = try await Stores.open(arguments[2], journal: journal).store(nil)
  var number = Int(arguments[3]) ?? 0
  switch arguments[1] {
  case "churn":
    say("ready")
    while true {
      number += 1
      say("try k\(number % 11) \(number)")
      try await put(store, "k\(number % 11)", number)
      say("ack k\(number % 11) \(number)")
    }
  case "cramp":
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(number), rlim_max: rlim_t(number))
    _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    try await put(store, "k0", 5)
  default:
    for number in 0..<(Int(arguments[4]) ?? 0) {
      try await put(store, arguments[3] + String(number), number)
    }
  }
  say("done")
} catch {
  say("error \(StoreError(error).message)")
  exit(1)
}
