import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension TransportError {
    /// Converts an error of `URLSession`.
    init(urlSession error: any Error) {
        self.init(Code(error), underlyingError: error)
    }
}

extension TransportError.Code {
    fileprivate init(_ error: any Error) {
        guard let error = error as? URLError else {
            self = .connectionLost
            return
        }
        self =
            switch error.code {
            case .cancelled, .userCancelledAuthentication: .cancelled
            case .badURL, .unsupportedURL: .invalidAddress
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet,
                .internationalRoamingOff, .callIsActive, .dataNotAllowed:
                .cannotConnect
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
                .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
                .insecure
            case .timedOut: .timedOut
            case .dataLengthExceedsMaximum: .tooLarge
            case .badServerResponse, .cannotDecodeContentData, .cannotDecodeRawData, .cannotParseResponse,
                .httpTooManyRedirects, .redirectToNonExistentLocation:
                .invalidResponse
            default: .connectionLost
            }
    }
}
