import DuetClient
import HTTPTypes
import Testing

@Suite("Directives of Cache-Control")
struct CacheDirectivesTests {
    private func directives(_ values: String...) -> CacheDirectives {
        var fields: HTTPFields = [:]
        fields[values: .cacheControl] = values
        return CacheDirectives(fields)
    }

    @Test("The directives of all field lines are parsed, and their names are case-insensitive")
    func names() {
        let directives = directives("Max-Age=60 , NO-CACHE,, unknown=\"a, max-stale=1\"", "stale-if-error = 5, private")
        #expect(directives.seconds(.maxAge) == 60)
        #expect(directives.contains(.noCache))
        #expect(directives.contains(.private))
        #expect(!directives.contains(.maxStale))
        #expect(!directives.contains(.noStore))
        #expect(directives.seconds(.minFresh) == nil)
    }

    @Test("The argument of a directive can be quoted. Text in quotes is not a directive")
    func quotes() {
        #expect(directives(#"max-age="10", no-cache="Set-Cookie, X", public"#).seconds(.maxAge) == 10)
        #expect(directives(#"no-cache="Set-Cookie, max-age=5", public"#).seconds(.maxAge) == nil)
        #expect(directives(#"no-cache="a\", no-store", public"#).contains(.noStore) == false)
        #expect(directives(#"no-cache="cut off, no-store"#).contains(.noStore) == false)
    }

    @Test("If a directive is repeated, the argument of the first occurrence applies")
    func duplicates() {
        #expect(directives("max-age=1, max-age=2", "max-age=3").seconds(.maxAge) == 1)
    }

    @Test(
        "A missing or invalid number of seconds is read as 0", arguments: ["", "=", "=a", "=-1", "=1.5", "=+5", "= "])
    func invalidSeconds(argument: String) {
        #expect(directives("max-age\(argument)").seconds(.maxAge) == 0)
    }

    @Test(
        "A number of seconds that is too large is read as 2^31, about 68 years",
        arguments: ["2147483648", "99999999999999999999999"])
    func overflow(argument: String) {
        #expect(directives("max-age=\(argument)").seconds(.maxAge) == 2_147_483_648)
    }

    @Test("max-stale permits stale responses for a number of seconds, or without a limit")
    func maxStale() {
        #expect(directives("max-stale").maximumStaleness == .infinity)
        #expect(directives("max-stale=5").maximumStaleness == 5)
        #expect(directives("max-stale=x").maximumStaleness == 0)
        #expect(directives("no-cache").maximumStaleness == nil)
    }
}
