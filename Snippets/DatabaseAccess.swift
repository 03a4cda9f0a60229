// Uses only the library DuetSQLDatabase: reads and writes in transactions, Swift values as arguments, a stream, and
// errors.
import DuetSQLDatabase

let database = try Database(DatabaseURL("sqlite::memory:"))
try await database.write { connection in
    try connection.executeScript("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, year INTEGER)")
}

// A write is committed when the closure returns, and rolled back if it throws.
let title = "Emma"
let year: Int? = 1815
try await database.write { connection in
    try connection.execute("INSERT INTO books VALUES (:id, :title, :year)", ["id": 1, "title": title, "year": year])
    try connection.bulkInsert(into: "books", columns: ["id", "title", "year"]) { books in
        try books.append([2, "Walden", 1854])
        try books.append([3, "Beowulf", nil])
    }
}

// All statements of a read use the same snapshot.
let titles = try await database.read { connection in
    let books = try connection.query("SELECT title FROM books WHERE id IN (:ids) ORDER BY id", ["ids": [1, 3]])
    var titles: [String] = []
    while try books.next() { titles.append(books.text(at: 0)) }
    return titles
}
print(titles.joined(separator: ", "))
// Prints: Emma, Beowulf

// A value is decoded as a Swift type. A value of a different type is an error.
let years = try await database.read { connection in
    let books = try connection.query("SELECT title, year FROM books ORDER BY id")
    var years: [String: Int?] = [:]
    while try books.next() { years[try books.decode(String.self, "title")] = try books.decode(Int?.self, "year") }
    return years
}
print(years["Walden"] as Any, years["Beowulf"] as Any)
// Prints: Optional(Optional(1854)) Optional(nil)

// The elements of a stream are read while they are consumed.
let lines = try await database.stream { connection -> () throws -> String? in
    let books = try connection.query("SELECT title, year FROM books ORDER BY id")
    return {
        guard try books.next() else { return nil }
        return books.isNull(at: 1) ? books.text(at: 0) : "\(books.text(at: 0)) (\(books.integer(at: 1)))"
    }
}
for try await line in lines { print(line) }
// Prints: Emma (1815)
// Prints: Walden (1854)
// Prints: Beowulf

do {
    try await database.write { try $0.execute("INSERT INTO books VALUES (1, 'Persuasion', 1817)") }
} catch let error as DatabaseError where error.code == .uniqueViolation {
    print("The id is taken.")
}
// Prints: The id is taken.
await database.close()
