import DuetSQLDatabase
import Testing

@Suite("Database URLs")
struct DatabaseURLTests {
    private func location(_ text: String) throws -> DatabaseURL.MariaDBLocation {
        guard case .mariaDB(let location) = try DatabaseURL(text).location else {
            throw DatabaseError(.url, "not MariaDB")
        }
        return location
    }

    @Test(
        "A SQLite URL names a file",
        arguments: [
            ("sqlite:a.sqlite", "a.sqlite"), ("sqlite:/tmp/a b.sqlite", "/tmp/a b.sqlite"),
            ("sqlite:///tmp/a", "/tmp/a"),
            ("sqlite:100%.db", "100%.db"),
        ])
    func sqlite(_ text: String, _ path: String) throws {
        #expect(try DatabaseURL(text).location == .sqlite(path: path))
    }

    @Test("sqlite::memory: is a database in memory, and sqlite:./:memory: is a file")
    func memory() throws {
        #expect(try DatabaseURL("sqlite::memory:").location == .sqliteInMemory)
        #expect(try DatabaseURL("sqlite:./:memory:").location == .sqlite(path: "./:memory:"))
    }

    @Test("A MariaDB URL is split into percent-decoded parts")
    func mariaDB() throws {
        let full = try location("mariadb://us%40er:p%40ss%2F%3A%25%23%3F@db.example:3307/emp%20loyees?tls=required")
        #expect(full.user == "us@er")
        #expect(full.password == "p@ss/:%#?")
        #expect(full.host == "db.example")
        #expect(full.port == 3307)
        #expect(full.database == "emp loyees")
        #expect(full.socket == nil)
        #expect(full.requiresTLS)
        let short = try location("mysql://user@/employees")
        #expect(short.password == "")
        #expect(short.host == "127.0.0.1")
        #expect(short.port == 3306)
        #expect(!short.requiresTLS)
        #expect(try location("mariadb://u:p@h/d?socket=/run/my%20sql.sock").socket == "/run/my sql.sock")
        #expect(try location("mariadb://u:p@[::1]:3307/d").host == "::1")
        #expect(try location("mariadb://u:p@[::1]:3307/d").port == 3307)
    }

    @Test(
        "An invalid database URL is rejected with an error that does not contain the password",
        arguments: [
            "", "sqlite:", "postgres://u:secret@h/d", "mariadb:", "mariadb://", "mariadb://h/d", "mariadb://u:secret@h",
            "mariadb://u:secret@h/", "mariadb://u:secret@h/d/e", "mariadb://u:secret@h:port/d",
            "mariadb://u:secret@h/d?x=1",
            "mariadb://u:secret@h/d?tls=maybe", "mariadb://u:secret@h/d?socket=",
            "mariadb://u:sec ret secret^@h:70000/d",
            "mariadb://u:secret#1@h/d", "mariadb://u:secret@h:0/d", "mariadb://u:secret@h:99999/d", "sqlite:a\u{0}b",
            "sqlite:file:a?mode=memory", "sqlite:file::memory:",
        ])
    func refused(_ text: String) {
        let error = #expect(throws: DatabaseError.self) { try DatabaseURL(text) }
        #expect(error?.code == .url)
        #expect(error?.description.contains("secret") == false)
    }

    @Test("The description of a URL does not contain the password")
    func description() throws {
        let url = try DatabaseURL("mariadb://user:secret@host/db?socket=/s")
        #expect(url.description == "mariadb://user:***@host:3306/db?socket=/s")
        #expect("\(url) \(String(reflecting: url)) \(url.location)".contains("secret") == false)
        var dumped = ""
        dump(url, to: &dumped)
        #expect(!dumped.contains("secret"))
        let secure = try DatabaseURL("mariadb://user@host/db?tls=required&socket=/s")
        #expect(secure.description == "mariadb://user@host:3306/db?socket=/s&tls=required")
        #expect(try DatabaseURL("sqlite:a").description == "sqlite:a")
        #expect(try DatabaseURL("sqlite::memory:").description == "sqlite::memory:")
    }
}
