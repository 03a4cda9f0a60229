import DuetHTTPServer
import NIOCore

extension RequestLimits {
    /// Limits without deadlines that a busy machine could reach.
    static var patient: RequestLimits {
        var limits = RequestLimits()
        limits.headTimeout = .hours(1)
        limits.idleTimeout = .hours(1)
        limits.bodyTimeout = .hours(1)
        limits.writeTimeout = .hours(1)
        limits.abandonTimeout = .hours(1)
        return limits
    }
}
