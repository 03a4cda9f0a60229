import DuetTokens
import Testing

@testable import DuetServer

@Suite("Schedule of a key set")
struct KeyRefreshScheduleTests {
    @Test("A set is fetched at the start, and again when its lifetime has passed")
    func lifetime() {
        var schedule = KeyRefreshSchedule()
        #expect(schedule.delay(at: .zero) == .zero)
        #expect(schedule.beginIfDue(at: .zero) == true)
        #expect(schedule.beginIfDue(at: .seconds(1)) == false)
        schedule.succeed(lifetime: .seconds(60), at: .seconds(2))
        #expect(schedule.delay(at: .seconds(2)) == .seconds(60))
        #expect(schedule.beginIfDue(at: .seconds(61)) == false)
        #expect(schedule.beginIfDue(at: .seconds(62)) == true)
    }

    @Test(
        "The lifetime is max-age between ten seconds and a day, and otherwise five minutes",
        arguments: [(nil, 300), (0, 10), (9, 10), (11, 11), (86_400, 86_400), (1 << 40, 86_400)])
    func lifetimes(maxAge: Int?, seconds: Int) {
        var schedule = KeyRefreshSchedule()
        _ = schedule.beginIfDue(at: .zero)
        schedule.succeed(lifetime: maxAge.map { .seconds($0) }, at: .zero)
        #expect(schedule.delay(at: .zero) == .seconds(seconds))
    }

    @Test("Unknown keys cause at most one request every ten seconds")
    func unknownKeys() {
        var schedule = KeyRefreshSchedule()
        _ = schedule.beginIfDue(at: .zero)
        #expect(schedule.beginForUnknownKey(at: .zero) == false)
        schedule.succeed(lifetime: nil, at: .seconds(1))
        #expect(schedule.beginForUnknownKey(at: .milliseconds(9_999)) == false)
        #expect(schedule.beginForUnknownKey(at: .seconds(10)) == true)
        #expect(schedule.beginForUnknownKey(at: .seconds(30)) == false)
        schedule.fail(hasKeys: true, at: .seconds(10))
        #expect(schedule.beginForUnknownKey(at: .seconds(19)) == false)
        #expect(schedule.beginForUnknownKey(at: .seconds(20)) == true)
    }

    @Test(
        "Without keys, failures are followed by requests after 1, 2, 4 … 60 seconds, and with keys after 10, 20 … 300")
    func failures() {
        for (hasKeys, expected) in [(false, [1, 2, 4, 8, 16, 32, 60, 60]), (true, [10, 20, 40, 80, 160, 300, 300])] {
            var schedule = KeyRefreshSchedule()
            var time = Duration.zero
            for seconds in expected {
                #expect(schedule.beginIfDue(at: time) == true)
                schedule.fail(hasKeys: hasKeys, at: time)
                #expect(schedule.delay(at: time) == .seconds(seconds))
                time += .seconds(seconds)
            }
            for _ in 0..<100 { schedule.fail(hasKeys: hasKeys, at: time) }
            // A success resets the delays.
            schedule.succeed(lifetime: .zero, at: time)
            schedule.fail(hasKeys: hasKeys, at: time)
            #expect(schedule.delay(at: time) == .seconds(expected[0]))
        }
    }

    @Test("The lifetime is the argument of the first max-age")
    func cacheControl() {
        func lifetime(_ text: String) -> Duration? {
            KeySetRequest.lifetime(text.split(separator: ", "))
        }
        #expect(lifetime("public, max-age=60, must-revalidate") == .seconds(60))
        #expect(lifetime("MAX-AGE=\"61\"") == .seconds(61))
        #expect(lifetime("max-age=1, max-age=2") == .seconds(1))
        #expect(lifetime("max-age=99999999999999999999999") == .seconds(1 << 31))
        for text in ["", "no-store", "max-age", "max-age=", "max-age=-1", "max-age=1.5", "max-age=x", "s-maxage=5"] {
            #expect(lifetime(text) == nil, "\(text)")
        }
    }

    @Test("The address of a key set is https, or http on the machine itself")
    func addresses() throws {
        for text in [
            "https://id.example/keys", "HTTPS://id.example", "https://id.example:8443/a?b=c", "http://localhost:1/keys",
            "http://127.0.0.1/keys", "http://127.8.9.1:80/", "http://[::1]:8080/keys",
        ] { _ = try KeySetAddress(text) }
        for text in [
            "", "keys.json", "/keys", "http://id.example/keys", "ftp://localhost/", "file:///etc/keys", "https://",
            "https:///keys", "https://user@id.example/", "https://user:secret@id.example/", "http://127.0.0.1.example/",
            "http://localhost.example/", "http://1270.0.0.1/", "unix://keys", "http://127.0.0/",
        ] {
            let error = #expect(throws: KeySetError.self, "\(text)") { try KeySetAddress(text) }
            #expect(error?.description.contains("secret") == false)
        }
        #expect("\(try KeySetAddress("https://id.example/keys?code=secret#x"))" == "https://id.example/keys")
        for port in ["0", "65536", "99999"] {
            #expect(throws: KeySetError.self) { _ = try KeySetAddress("https://127.0.0.1:\(port)/keys") }
        }
        #expect(KeySetAddress.isAddress("https://id.example") && !KeySetAddress.isAddress("keys/http.json"))
    }

    @Test("A redirection does not change the scheme")
    func redirections() throws {
        let secure = try KeySetAddress("https://id.example/a/keys")
        #expect(secure.redirected(to: "other")?.url == "https://id.example/a/other")
        #expect(secure.redirected(to: "/new")?.url == "https://id.example/new")
        #expect(secure.redirected(to: "https://cdn.example/keys")?.url == "https://cdn.example/keys")
        for location in [
            "http://id.example/keys", "http://localhost/keys", "ftp://id.example/", "https://u:p@id.example/",
        ] {
            #expect(secure.redirected(to: location) == nil, "\(location)")
        }
        let local = try KeySetAddress("http://localhost:1/keys")
        #expect(local.redirected(to: "http://127.0.0.1:2/keys") != nil)
        #expect(local.redirected(to: "http://id.example/keys") == nil)
        #expect(local.redirected(to: "https://id.example/keys") == nil)
    }
}
