import Foundation
import Harmony

// A process that tests kill while it writes to a store.
//
//   StoreWriter churn defaults|files PLACE SEED   says what it finds, then writes until it is killed
//   StoreWriter fill defaults|files PLACE NAME COUNT   writes NAME0, NAME1 and so on, and ends
//   StoreWriter cramp defaults|files PLACE SIZE   writes 3 kB where no file can grow beyond SIZE
//
// Every step is told in a line of its own, by one call of the system, so that a line is there or not.

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = write(1, bytes, bytes.count)
}

/// A value that can be checked: its number, and as many dots as follow from it.
func value(_ number: Int) -> String {
  "\(number):" + String(repeating: ".", count: number % 7 == 0 ? number * 37 % 6_000 : number % 90)
}

func source(_ kind: String, _ place: String) -> AnyDataSource<String> {
  guard kind == "files" else {
    return AnyDataSource(
      DeviceStorageDataSource<String>(
        UserDefaults(suiteName: place) ?? .standard, prefix: "store"))
  }
  let files = FileSystemStorageDataSource(
    fileManager: .default, directory: URL(fileURLWithPath: place))
  return AnyDataSource(
    files.withMapping(
      in: ClosureMapper { (text: String) in Data(text.utf8) },
      out: ClosureMapper { (data: Data) in String(decoding: data, as: UTF8.self) }))
}

func churn(_ source: AnyDataSource<String>, seed: Int) async throws {
  for key in try await source.getKeys(AllObjectsQuery()).get() {
    let text = try await source.get(key).get()
    let number = Int(text.prefix { $0 != ":" }) ?? -1
    say("have \(key) \(text == value(number) ? number : -1)")
  }
  say("ready")
  var number = seed
  while true {
    number += 1
    let key = "k\(number % 11)"
    say("try \(key) \(number)")
    try await source.put(value(number), forId: key).get()
    say("ack \(key) \(number)")
  }
}

/// Makes every write beyond a size fail as on a full disk.
func limitFiles(to size: UInt) {
  signal(SIGXFSZ, SIG_IGN)
  var limit = rlimit(rlim_cur: size, rlim_max: size)
  _ = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
}

let arguments = CommandLine.arguments
guard arguments.count >= 5 else { exit(2) }
let store = source(arguments[2], arguments[3])
do {
  if arguments[1] == "churn" {
    try await churn(store, seed: Int(arguments[4]) ?? 0)
  } else if arguments[1] == "cramp" {
    limitFiles(to: UInt(arguments[4]) ?? 0)
    try await store.put(value(84), forId: "a").get()
    say("done")
  } else {
    for index in 0..<(Int(arguments[5]) ?? 0) {
      try await store.put(value(index), forId: "\(arguments[4])\(index)").get()
    }
    say("done")
  }
} catch {
  say("error \(error)")
  exit(1)
}
