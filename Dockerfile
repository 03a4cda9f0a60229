FROM swift:6.3-bookworm AS build

RUN apt-get update \
    && apt-get install -y --no-install-recommends libsqlite3-dev libmariadb-dev zlib1g-dev pkg-config \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /build

# The dependencies have a separate layer, which remains valid when the sources change. Package.resolved may be missing.
COPY Package.swift Package.resolve[d] ./
RUN swift package resolve

COPY . .
RUN swift build -c release --product duet --static-swift-stdlib \
    && mkdir /staging \
    && cp "$(swift build -c release --show-bin-path)/duet" /staging/ \
    && find -L "$(swift build -c release --show-bin-path)" -maxdepth 1 -name '*.resources' -exec cp -R {} /staging/ \;

# The licenses of the statically linked packages.
RUN mkdir /licenses \
    && cp LICENSE THIRD-PARTY.md /licenses/ \
    && cd .build/checkouts \
    && cp --parents */LICENSE* */NOTICE* /licenses/


FROM debian:bookworm-slim

RUN apt-get update \
    && apt-get install -y --no-install-recommends libsqlite3-0 libmariadb3 zlib1g tzdata ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin duet \
    && install --directory --owner=duet --group=duet --mode=700 /data

COPY --from=build /staging/ /usr/local/bin/
COPY --from=build /licenses/ /usr/local/share/doc/duet/
COPY scripts/healthy.sh /usr/local/bin/duet-healthy

USER 10001
WORKDIR /data
VOLUME /data

# Without DUET_DATABASE, the first start creates the sample database, /data/.duet/employees.sqlite.
ENV DUET_HOST=0.0.0.0 \
    DUET_PORT=8080
EXPOSE 8080

HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["duet-healthy"]

ENTRYPOINT ["duet"]
CMD ["serve"]
