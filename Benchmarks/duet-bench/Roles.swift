import Foundation

/// Measures roles: a request for a role in relation to the same request without roles, and the start of a server with
/// many roles.
enum Roles {
    /// A token for ``secret``, with the role `self` and the claim `employee`. It expires in 2100.
    private static let token = """
        eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJpc3MiOiJiZW5jaCIsImF1ZCI6ImR1ZXQiLCJyb2xlIjoic2VsZiIsImVtcGxveWVlIjoxMDAwNCwiZXhwIjo0MTAyNDQ0ODAwfQ.tWrUE0iqntIMv0mPHxzz3a5GAojXBNCxG6LpVj1lKPQ
        """
    private static let secret = "a secret for measurements, and for nothing else"

    private static let settings = [
        "DUET_TOKEN_SECRET": secret, "DUET_TOKEN_ISSUER": "bench", "DUET_TOKEN_AUDIENCE": "duet",
    ]

    /// Compares the rate of one employee with titles and salaries for a role with a condition on the rows and without
    /// roles.
    static func measure(employees: String, folder: URL, load: (ServerProcess) -> Load, rounds: Int, _ report: Report)
        throws
    {
        let plain = folder.appending(path: "employees.yaml")
        try Duet.run(["introspect", "sqlite:" + employees, "--output", plain.path])
        let roles = """

            roles:
              self:
                resources:
                  employees: {read: {where: {empNo: {eq: {claim: employee}}}}}
                  titles: {read: {}}
                  salaries: {read: {}}

            """
        let restricted = folder.appending(path: "roles.yaml")
        try Data((try String(contentsOf: plain, encoding: .utf8) + roles).utf8).write(to: restricted)
        let database = ["DUET_DATABASE": "sqlite:" + employees]
        let servers = [
            try Duet.serve(environment: database.merging(["DUET_API": plain.path]) { $1 }),
            try Duet.serve(
                environment: database.merging(["DUET_API": restricted.path]) { $1 }.merging(settings) { $1 }),
        ]
        defer { for server in servers { server.stop() } }
        var target = Target.one
        target.field = ("Authorization", "Bearer " + token)
        let comparison = try Comparison.paired(
            rounds: rounds, figure: { try load(servers[1]).rate(target) }, floor: { try load(servers[0]).rate(target) })
        report.add(
            "SQLite", "one employee with titles and salaries for a role", comparison, floor: "without roles", goal: 0.9,
            unit: "requests/s")
    }

    /// Measures the start of a server with 1,000 roles, each with a condition of its own, and its memory before and
    /// after the first request of a caller.
    /// - Parameter url: The URL of a database with many tables.
    static func measureStart(_ url: String, folder: URL, rounds: Int, _ report: Report) throws {
        let plain = folder.appending(path: "tables.yaml")
        try Duet.run(["introspect", url, "--output", plain.path])
        let text = try String(contentsOf: plain, encoding: .utf8)
        let resources = text.matches(of: /(?m)^\ \ (\w+):$/).map { String($0.1) }
        var roles = "\nroles:\n  self:\n    resources:\n      \"*\": {read: {}}\n"
        for number in 1..<1_000 {
            let resource = resources[number % resources.count]
            roles += "  role\(number): {includes: [self], resources: "
            roles += "{\(resource): {read: {where: {id: {gte: {claim: number}}}}}}}\n"
        }
        let file = folder.appending(path: "many-roles.yaml")
        try Data((text + roles).utf8).write(to: file)
        let environment = ["DUET_DATABASE": url, "DUET_API": file.path].merging(settings) { $1 }
        let starts = try (0..<rounds).map { _ in
            let start = ContinuousClock.now
            let server = try Duet.serve(environment: environment)
            let time = (ContinuousClock.now - start) / .seconds(1)
            server.stop()
            return time
        }
        let server = try Duet.serve(environment: environment)
        defer { server.stop() }
        let before = server.usage.residentMemory
        let start = ContinuousClock.now
        _ = try Curl.send("\(server.base)/\(resources[0])", fields: ["Authorization: Bearer " + token])
        let first = (ContinuousClock.now - start) / .milliseconds(1)
        report.note(
            "1,000 roles of \(resources.count) resources: a start takes \(String(format: "%.2f", starts.median)) s "
                + "(goal: under 2 s), resident memory is \(before >> 10) MiB; the first request of a role takes "
                + "\(Int(first)) ms, and then resident memory is \(server.usage.residentMemory >> 10) MiB")
    }
}
