import Foundation
import ProcessTesting

/// A server of the sample that requires a token: nginx refuses requests for data without the token, and passes all
/// other requests to the server.
enum TokenServer {
    static let token = "anna-token.1_2~3"

    /// Runs the server while the closure runs.
    /// - Parameter origin: The origin of the server with the data.
    static func with(before origin: String, _ body: (_ origin: String) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await Nginx.with(in: folder) { port in
                """
                map $http_authorization $refused {
                    default 1;
                    "Bearer \(token)" 0;
                }
                map $http_authorization $reason {
                    default 'error="invalid_token", error_description="The token has expired."';
                    "" 'realm="duet"';
                }
                map $http_accept $is_page { default 0; ~text/html 1; }
                map "$is_page$refused" $is_refused { default 0; 01 1; }
                server {
                    listen 127.0.0.1:\(port);
                    default_type application/problem+json;
                    location /explorer/ { proxy_pass \(origin); }
                    location / {
                        error_page 418 = @refused;
                        if ($is_refused) { return 418; }
                        proxy_set_header Host $proxy_host;
                        proxy_pass \(origin);
                    }
                    location = /employees/403 {
                        return 403 '{"status":403,"code":"claim-missing","detail":"A claim is missing."}';
                    }
                    location @refused {
                        add_header WWW-Authenticate 'Bearer $reason' always;
                        return 401 '{"status":401,"code":"unauthorized","detail":"A token is required."}';
                    }
                }
                """
            } _: { base in
                try await body(base)
            }
        }
    }
}
