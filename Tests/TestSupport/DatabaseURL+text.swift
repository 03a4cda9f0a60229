package import DuetSQLDatabase
import Foundation

extension DatabaseURL {
    /// The URL with the password, as a program needs it. ``description`` hides the password.
    package var text: String {
        switch location {
        case .sqlite, .sqliteInMemory: return description
        case .mariaDB(let location):
            var components = URLComponents()
            components.scheme = "mariadb"
            components.user = location.user
            components.password = location.password
            components.host = location.host
            components.port = location.port
            components.path = "/" + location.database
            components.queryItems = location.socket.map { [URLQueryItem(name: "socket", value: $0)] }
            return components.string ?? ""
        }
    }
}
