#!/usr/bin/env python3
"""Receives traces over OTLP in JSON, checks them with the schema of OTLP, and prints them: otlp-collector.py [PORT]

Needs the package opentelemetry-proto of PyPI. Each span is one line: the trace, the span and its parent, the duration, the name and the attributes.
Ends with an error at the first request that is not valid.
"""
import base64
import http.server
import json
import os
import sys

from google.protobuf import json_format
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
from opentelemetry.proto.trace.v1 import trace_pb2


def with_base64(value):
    """JSON of OTLP has identifiers in hexadecimal digits, but JSON of Protocol Buffers has bytes in base64."""
    if isinstance(value, list):
        return [with_base64(element) for element in value]
    if not isinstance(value, dict):
        return value
    identifiers = ("traceId", "spanId", "parentSpanId")
    return {
        key: base64.b64encode(bytes.fromhex(member)).decode() if key in identifiers else with_base64(member)
        for key, member in value.items()
    }


class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            assert self.path == "/v1/traces" and self.headers["Content-Type"] == "application/json"
            request = trace_service_pb2.ExportTraceServiceRequest()
            # Unknown members are errors.
            json_format.ParseDict(with_base64(json.loads(body)), request)
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    for span in scope.spans:
                        self.show(span)
        except Exception as error:
            print(f"invalid request: {error}\n{body.decode()}", file=sys.stderr, flush=True)
            os._exit(1)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def show(self, span):
        assert len(span.trace_id) == 16 and len(span.span_id) == 8 and len(span.parent_span_id) in (0, 8)
        assert 0 < span.start_time_unix_nano <= span.end_time_unix_nano and span.name
        attributes = {
            attribute.key: getattr(attribute.value, attribute.value.WhichOneof("value")) for attribute in span.attributes
        }
        kind = trace_pb2.Span.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_")
        status = trace_pb2.Status.StatusCode.Name(span.status.code).removeprefix("STATUS_CODE_")
        microseconds = (span.end_time_unix_nano - span.start_time_unix_nano) // 1000
        identifiers = f"{span.trace_id.hex()} {span.span_id.hex()} {span.parent_span_id.hex() or '-':16}"
        print(f"{identifiers} {microseconds:6} µs {kind} {status} {span.name} {attributes}", flush=True)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 4318
    http.server.ThreadingHTTPServer(("127.0.0.1", port), Collector).serve_forever()
