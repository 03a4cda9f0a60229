import Foundation
import ProcessTesting
import Testing

extension ProgramTests {
    /// The files in `deployment`, which `docs/deployment.md` describes.
    @Suite("Deployment")
    struct DeploymentTests {
        @Test(
            "The systemd units in deployment are valid, with and without the socket, and for a second instance",
            .enabled(if: Program.find("systemd-analyze") != nil, "needs systemd-analyze, of Debian's package systemd"))
        func unit() async throws {
            let systemd = try #require(Program.find("systemd-analyze"))
            try await TemporaryFolder.with { folder in
                var unit = try Configuration("deployment/duet.service")
                try unit.replace("/usr/local/bin/duet", with: Products.duet)
                for name in ["duet.service", "duet@.service"] { try unit.write(to: folder.appending(path: name)) }
                func verify(_ names: String...) async throws {
                    let files = names.map { folder.appending(path: $0).path }
                    let result = try await Program.run(["verify"] + files, of: systemd, in: folder)
                    #expect(result.status == 0, "\(result.errors)")
                    #expect(!result.errors.contains("duet."), "\(result.errors)")
                }
                try await verify("duet.service")
                try Data(try Checkout.text("deployment/duet.socket").utf8)
                    .write(to: folder.appending(path: "duet.socket"))
                try await verify("duet.socket", "duet.service", "duet@next.service")
            }
        }

        @Test("The commands of docs/deployment.md install the program, the unit and the settings")
        func installation() async throws {
            let text = try Checkout.text("docs/deployment.md")
            let commands = try #require(text.firstMatch(of: /```sh\n((?:sudo .+\n)+)```/)?.1)
            try await TemporaryFolder.with { folder in
                // The commands run without privileges, in a folder instead of the root of the file system.
                let script = commands.replacing(" /usr/", with: " root/usr/").replacing(" /etc/", with: " root/etc/")
                    .replacing(".build/release/duet", with: Products.duet)
                    .replacing(
                        "deployment/duet.service", with: Checkout.folder.appending(path: "deployment/duet.service").path
                    )
                let result = try await Program.shell(
                    """
                    mkdir -p root/usr/local/bin root/etc/systemd/system
                    sudo() { "$@"; }
                    systemctl() { echo "systemctl $*"; }
                    \(script)
                    unit() { sed -n "s/^$1=//p" root/etc/systemd/system/duet.service; }
                    read -r program command <<<"$(unit ExecStart)"
                    set -a
                    . "root$(unit EnvironmentFile)"
                    "root$program" --version
                    "root$program" "$command" --help | grep -o "$(cut -d = -f 1 "root$(unit EnvironmentFile)")"
                    stat -c %a "root$(unit EnvironmentFile)"
                    """, in: folder)
                #expect(result.status == 0, "\(result.errors)")
                let lines = result.output.split(separator: "\n")
                #expect(lines.first == "systemctl enable --now duet")
                #expect(lines.dropFirst(2) == ["DUET_LOG_FORMAT", "600"])
            }
        }

        @Test(
            "The TLS proxy redirects HTTP, permits GET without a password, rejects POST, PATCH and WebSocket without one, passes events, and hides the metrics",
            .enabled(
                if: Nginx.canUseTLS,
                "needs nginx and openssl, from the Debian packages with the same names"))
        func proxy() async throws {
            try await SampleDatabase.with(employees: 20) { folder, url in
                try await Server.with(["--database", url, "--debug-statements"], in: folder) { server in
                    try await Nginx.withTLS(before: server, in: folder) { proxy in
                        let (plain, secure) = (proxy.plain, proxy.secure)
                        let result = try await Program.shell(
                            """
                            export CURL_CA_BUNDLE=certificate.pem
                            status() { curl --no-fail-with-body -o /dev/null -w '%{http_code}\\n' "$@"; }
                            curl -o /dev/null -w '%{http_code} %{redirect_url}\\n' '\(plain)/employees/10004?details=titles'
                            curl '\(secure)/employees/10004?fields=lastName'; echo
                            rename() {
                                status "$@" -X PATCH \(secure)/employees/10001 -H 'Content-Type: application/merge-patch+json' \\
                                    -d '{"lastName":"Reyes"}'
                            }
                            rename
                            rename -u ada:wrong
                            rename -u ada:secret
                            # The server refuses the version of WebSocket.
                            socket() {
                                status --http1.1 -H 'Upgrade: websocket' -H 'Connection: Upgrade' -H 'Sec-WebSocket-Version: 8' "$@"
                            }
                            socket \(secure)/graphql
                            socket -u ada:secret \(secure)/graphql
                            exec 3< <(curl -N -H 'Accept: text/event-stream' '\(secure)/employees/10004?fields=lastName')
                            while read -r line <&3 && [[ $line != data:* ]]; do :; done
                            echo "$line"
                            exec 3<&-
                            status \(secure)/graphql --json '{"query":"{ __typename }"}'
                            status -G \(secure)/graphql --data-urlencode 'query={ __typename }'
                            status \(secure)/metrics
                            curl -o /dev/null -H 'X-Request-ID: one' \(secure)/employees/10004
                            status \(server.base)/debug/requests/one/statements
                            status \(secure)/debug/requests/one/statements
                            curl -o /dev/null -D head.txt \(secure)/employees/10001
                            grep -i '^strict-transport-security:' head.txt | tr -d '\\r'
                            tag=$(sed -n 's/^etag: //Ip' head.txt | tr -d '\\r')
                            rename -u ada:secret -H "If-Match: $tag"
                            rename -u ada:secret -H 'If-Match: "other"'
                            status "\(secure)/employees/$(head -c 35000 /dev/zero | tr '\\0' a)"
                            head -c 1100000 /dev/zero | status -u ada:secret \(secure)/graphql -H 'Content-Type: application/json' \\
                                -H 'Expect:' --data-binary @-
                            """, in: folder)
                        #expect(
                            result.output == """
                                301 https://localhost/employees/10004?details=titles
                                {"lastName":"Koblick"}
                                401
                                401
                                200
                                401
                                426
                                data: {"lastName":"Koblick"}
                                401
                                200
                                404
                                200
                                404
                                strict-transport-security: max-age=31536000
                                200
                                412
                                414
                                413

                                """, "\(result.errors)")
                    }
                }
            }
        }

        @Test("The docker commands of docs/deployment.md use the volume and the port of the Dockerfile")
        func container() throws {
            let dockerfile = try Checkout.text("Dockerfile")
            let volume = try #require(dockerfile.firstMatch(of: /\nVOLUME (\S+)\n/)?.1)
            let port = try #require(dockerfile.firstMatch(of: /\nEXPOSE (\d+)\n/)?.1)
            let directory = try #require(dockerfile.matches(of: /\nWORKDIR (\S+)\n/).last?.1)
            let document = try Checkout.text("docs/deployment.md")
            #expect(document.contains("`\(directory)/.duet/employees.sqlite` in a container"))
            let commands = try DocumentBlock.all(of: "docs/deployment.md").filter { $0.commands.contains("docker") }
            #expect(
                commands.map(\.text) == [
                    """
                    docker build --tag duet .
                    docker run --detach --name duet --stop-timeout 40 --volume duet:\(volume) --publish 127.0.0.1:8080:\(port) duet

                    """
                ])
        }

        @Test(
            "The backup of a SQLite database in use has all rows, and restoring the backup reverts later writes",
            .enabled(if: Program.find("sqlite3") != nil, "needs sqlite3"))
        func backup() async throws {
            let unit = try Checkout.text("deployment/duet.service")
            let directory = try #require(unit.firstMatch(of: /\nWorkingDirectory=(.+)\n/)?.1)
            let blocks = try DocumentBlock.all(of: "docs/deployment.md").map(\.text)
            let backup = try #require(blocks.first { $0.contains(".backup") })
            let restoration = try #require(blocks.first { $0.hasPrefix("sudo systemctl stop duet\n") })
            try await TemporaryFolder.with { folder in
                // The commands run without privileges, in the working directory of the server.
                func run(_ commands: String) async throws -> Program.Result {
                    try await Program.shell(
                        """
                        sudo() { "$@"; }
                        systemctl() { echo "systemctl $*"; }
                        \(commands.replacing("\(directory)/", with: ""))
                        """, in: folder)
                }
                let target = "/employees/10001"
                let original = try await Server.with(in: folder) { server -> String in
                    let original = try await server.get(target)
                    let saved = try await run(backup + "sqlite3 backup.sqlite 'SELECT count(*) FROM employees'")
                    #expect(saved.output == "10000\n", "\(saved.errors)")
                    let written = try await server.send("PATCH", target, body: #"{"lastName":"Marchetti"}"#)
                    #expect(written.status == 200 && original.status == 200 && written.body != original.body)
                    // The write-ahead log of a killed server remains.
                    server.program.send(SIGKILL)
                    _ = await server.program.result()
                    return original.body
                }
                let log = folder.appending(path: ".duet/employees.sqlite-wal").path
                #expect(FileManager.default.fileExists(atPath: log))
                let restored = try await run(restoration)
                #expect(restored.output == "systemctl stop duet\nsystemctl start duet\n", "\(restored.errors)")
                #expect(!FileManager.default.fileExists(atPath: log))
                try await Server.with(in: folder) { server in
                    let employee = try await server.get(target)
                    #expect(employee.body == original)
                }
            }
        }
    }
}
