package import Foundation

extension Nginx {
    /// The addresses of a TLS proxy, and its certificate, which it has signed itself.
    package struct TLSProxy {
        /// `http://localhost:PORT`.
        package let plain: String
        /// `https://localhost:PORT`.
        package let secure: String
        /// The certificate, for the name `localhost`.
        package let certificate: URL
        /// The user and the password that the proxy accepts.
        package static let (user, password) = ("ada", "secret")
    }

    /// True if ``withTLS(before:in:_:)`` can be used.
    package static var canUseTLS: Bool { executable != nil && TestCertificate.isAvailable }

    /// Starts nginx with the configuration in `deployment`.
    package static func withTLS<Value>(
        before origin: some HTTPEndpoint, in folder: URL, _ body: (TLSProxy) async throws -> Value
    ) async throws -> Value {
        try await TestCertificate.create("certificate", in: folder)
        let hashed = try await Program.shell("openssl passwd -apr1 \(TLSProxy.password)", in: folder)
        try Data("\(TLSProxy.user):\(hashed.output)".utf8).write(to: folder.appending(path: "duet.htpasswd"))
        // If one of the ports is in use, nginx is started again with others.
        func secure(_ port: Int) -> Int { port ^ 1 }
        return try await with(in: folder) { port in
            var configuration = try Configuration("deployment/nginx-tls.conf")
            try configuration.replace("server 127.0.0.1:8080;", with: "server 127.0.0.1:\(origin.port);")
            // The tests listen on 127.0.0.1 only.
            try configuration.replace("    listen [::]:80;\n", with: "")
            try configuration.replace("    listen [::]:443 ssl http2;\n", with: "")
            try configuration.replace("listen 80;", with: "listen 127.0.0.1:\(port);")
            try configuration.replace("listen 443 ssl", with: "listen 127.0.0.1:\(secure(port)) ssl")
            for (path, file) in [
                ("/etc/ssl/duet/certificate.pem", "certificate.pem"), ("/etc/ssl/duet/key.pem", "certificate.key"),
                ("/etc/nginx/duet.htpasswd", "duet.htpasswd"),
            ] {
                try configuration.replace(path, with: folder.appending(path: file).path)
            }
            return configuration.text
        } _: { base in
            let port = Int(base.split(separator: ":").last ?? "") ?? 0
            return try await body(
                TLSProxy(
                    plain: "http://localhost:\(port)", secure: "https://localhost:\(secure(port))",
                    certificate: folder.appending(path: "certificate.pem")))
        }
    }
}
