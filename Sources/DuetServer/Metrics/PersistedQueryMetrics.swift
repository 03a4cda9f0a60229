import CoreMetrics
import DuetPersistedDocuments
import DuetPersistedQueries

/// The metrics of persisted queries.
struct PersistedQueryMetrics: Sendable {
    private let manifestHits: Counter
    private let memoryHits: Counter
    private let storeHits: Counter
    private let evictions: [PersistedQueryObservation.Level: Counter]
    private let expirations: [PersistedQueryObservation.Level: Counter]
    private let failures: [PersistedQueryObservation.Purpose: Counter]
    private let misses: Counter
    private let registrations: Counter
    private let mismatches: Counter

    init(_ factory: PrometheusMetricsFactory) {
        func counter(_ name: String, _ level: PersistedQueryObservation.Level, help: String) -> Counter {
            factory.counter(name, help: help, labels: [("level", level.rawValue)])
        }
        func hits(_ level: PersistedQueryObservation.Level) -> Counter {
            counter("duet_persisted_query_hits_total", level, help: "Documents that were found, by level.")
        }
        (manifestHits, memoryHits, storeHits) = (hits(.manifest), hits(.memory), hits(.store))
        // Documents of manifests are never evicted and never expire.
        func byLevel(_ name: String, help: String) -> [PersistedQueryObservation.Level: Counter] {
            [.memory: counter(name, .memory, help: help), .store: counter(name, .store, help: help)]
        }
        evictions = byLevel(
            "duet_persisted_query_evictions_total", help: "Documents that were evicted for other documents.")
        expirations = byLevel(
            "duet_persisted_query_expirations_total",
            help: "Documents that were removed because they were unused for too long.")
        failures = Dictionary(
            uniqueKeysWithValues: PersistedQueryObservation.Purpose.allCases.map { purpose in
                let counter = factory.counter(
                    "duet_persisted_query_store_failures_total", help: "Failed operations of the store.",
                    labels: [("purpose", purpose.rawValue)])
                return (purpose, counter)
            })
        misses = factory.counter("duet_persisted_query_misses_total", help: "Documents that were not found.")
        registrations = factory.counter(
            "duet_persisted_query_registrations_total", help: "Registrations of documents that were not in memory.")
        mismatches = factory.counter(
            "duet_persisted_query_mismatches_total", help: "Documents that were sent with a hash that does not match.")
    }

    func count(_ observation: PersistedQueryObservation) {
        switch observation {
        case .hit(.manifest): manifestHits.increment()
        case .hit(.memory): memoryHits.increment()
        case .hit(.store): storeHits.increment()
        case .miss: misses.increment()
        case .registered: registrations.increment()
        case .evicted(let count, let level): evictions[level]?.increment(by: count)
        case .expired(let count, let level): expirations[level]?.increment(by: count)
        case .storeFailed(let purpose, _): failures[purpose]?.increment()
        }
    }

    func countMismatch() {
        mismatches.increment()
    }
}

extension ServerMetrics {
    func read(_ queries: PersistedQueries) {
        factory.gauge(
            "duet_persisted_query_entries", help: "Registered documents in memory.", of: queries
        ) { Double($0.statistics.documents) }
        factory.gauge(
            "duet_persisted_query_bytes", help: "Approximate number of bytes of the registered documents in memory.",
            of: queries
        ) { Double($0.statistics.bytes) }
        factory.gauge("duet_persisted_query_listed", help: "Documents of manifests.", of: queries) {
            Double($0.statistics.listed)
        }
        factory.gauge(
            "duet_persisted_query_unsaved", help: "Documents that the store has not saved yet.", of: queries
        ) { Double($0.statistics.unsaved) }
        // The following two gauges have no value until this process has read the store for the first time.
        factory.gauge(
            "duet_persisted_query_stored_entries", help: "Documents in the store when this process last counted them.",
            of: queries
        ) { $0.statistics.storedDocuments.map(Double.init) }
        factory.gauge(
            "duet_persisted_query_stored_bytes",
            help: "Bytes of the documents in the store when this process last counted them.", of: queries
        ) { $0.statistics.storedBytes.map(Double.init) }
    }
}
