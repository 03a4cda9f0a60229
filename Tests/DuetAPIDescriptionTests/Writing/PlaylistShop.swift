import DuetResourceService
import DuetSQLDatabase
import DuetServer
import TestSupport

/// Playlists with tracks, which a join table links. Each link has a column with a default value.
enum PlaylistShop {
    static let script = """
        CREATE TABLE playlists (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL, owner VARCHAR(20));
        CREATE TABLE tracks (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20) NOT NULL);
        CREATE TABLE playlist_tracks (playlist_id INTEGER NOT NULL, track_id INTEGER NOT NULL,
            added_by VARCHAR(20) DEFAULT 'nobody', PRIMARY KEY (playlist_id, track_id),
            FOREIGN KEY (playlist_id) REFERENCES playlists (id), FOREIGN KEY (track_id) REFERENCES tracks (id));
        INSERT INTO playlists VALUES (1, 'calm', 'ada'), (2, 'loud', 'bob');
        INSERT INTO tracks VALUES (7, 'rain'), (8, 'drums'), (9, 'wind');
        INSERT INTO playlist_tracks (playlist_id, track_id) VALUES (1, 8), (2, 8);
        """

    static let description = """
        duet: 1
        description: Music.
        resources:
          playlists:
            singular: playlist
            type: Playlist
            key: [id]
            writes: all
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
              owner: {type: text, maxLength: 20, nullable: true}
            relations:
              tracks:
                to: tracks
                many: 20
                through: [{table: playlist_tracks, columns: {id: playlist_id}}]
                columns: {track_id: id}
          tracks:
            singular: track
            type: Track
            key: [id]
            fields:
              id: {type: int}
              name: {type: text, maxLength: 20}
          playlistTracks:
            singular: playlistTrack
            type: PlaylistTrack
            table: playlist_tracks
            key: [playlistId, trackId]
            writes: [create, delete]
            fields:
              playlistId: {type: int, column: playlist_id}
              trackId: {type: int, column: track_id}
              addedBy: {type: text, column: added_by, nullable: true, absent: default}
            relations:
              track: {to: tracks, one: required, columns: {track_id: id}}

        """

    /// A role that sees its own playlists and two tracks, and links them in its name.
    static let listener = Role(
        "listener",
        reads: [
            "playlists": .init(where: .compare("owner", .equal, [.parameter("sub")])),
            "tracks": .init(where: .compare("id", .less, [.value(.integer(9))])), "playlistTracks": .init(),
        ],
        writes: [
            "playlistTracks": .init(
                create: .init(
                    fields: .only(["playlistId", "trackId"]), set: ["addedBy": .parameter("sub")],
                    check: .compare("trackId", .equal, [.value(.integer(7))])),
                delete: .init(where: .compare("addedBy", .equal, [.parameter("sub")])))
        ])

    /// A role that sees everything, and removes links only.
    static let remover = Role(
        "remover", reads: ["playlists": .init(), "tracks": .init(), "playlistTracks": .init()],
        writes: ["playlistTracks": .init(delete: .init())])

    /// Serves the playlists while the closure runs.
    static func with(
        _ backend: TestBackend, roles: [Role] = [],
        _ body: @Sendable @escaping (WritableShop) async throws -> Void
    ) async throws {
        try await WritableShop.with(backend, roles: roles, script: script, description: description, body)
    }
}
