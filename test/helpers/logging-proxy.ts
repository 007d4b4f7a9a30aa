// Runs an HTTP proxy on loopback. It answers plain requests itself, and connects every tunnel to its own TLS server, so no traffic leaves the machine.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface LoggingProxy {
  readonly url: string;
  /** `GET http://host/path` for plain requests, `CONNECT host:port` for tunnels, `TLS GET /path` for requests through a tunnel. */
  readonly requests: string[];
  readonly headers: IncomingMessage['headers'][];
  /** The certificate of `secure.example`, for an agent's `ca` option. */
  readonly ca: string;
  close(): Promise<void>;
}

export interface LoggingProxyOptions {
  /** Status of plain requests and tunnels; 200 by default. */
  readonly status?: number;
  readonly body?: string;
}

export async function startLoggingProxy({ status = 200, body = '{"ok":true}' }: LoggingProxyOptions = {}): Promise<LoggingProxy> {
  const requests: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const sockets = new Set<Socket>();
  const secure = createTlsServer({ key, cert }, (request, reply) => {
    requests.push(`TLS ${request.method} ${request.url}`);
    headers.push(request.headers);
    reply.setHeader('content-type', 'application/json').end(body);
  });
  const server = createServer((request, reply) => {
    requests.push(`${request.method} ${request.url}`);
    headers.push(request.headers);
    reply.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  server.on('connect', (request, client: Socket) => {
    requests.push(`CONNECT ${request.url}`);
    headers.push(request.headers);
    if (status !== 200) return void client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const site = connect((secure.address() as AddressInfo).port, '127.0.0.1');
    client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    for (const socket of [client, site]) socket.on('error', () => socket.destroy());
    site.pipe(client).pipe(site);
  });
  for (const one of [server, secure]) {
    one.on('connection', (socket: Socket) => sockets.add(socket));
    one.listen(0, '127.0.0.1');
    await once(one, 'listening');
  }
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    headers,
    ca: cert,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([server, secure].map((one) => new Promise((resolve) => one.close(resolve))));
    },
  };
}

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgH7OjqsjWHgw3aUm2
MeGtoh1d+NzmtcusrSsUUEvnR/ehRANCAAQi1/bEkKrbrmNkXgLxK3t5qwLmTfA2
rxYa+m1PJUvIXf0y+FDUH343TbXuRy6X5UeaE8fELAWgHBNg14lzB/Da
-----END PRIVATE KEY-----
`;
const cert = `-----BEGIN CERTIFICATE-----
MIIBpDCCAUqgAwIBAgIUfScTX4a/9E3DgXPgNmxsTcBKn/AwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOc2VjdXJlLmV4YW1wbGUwIBcNMjYxMTI5MTQxMzI4WhgPMjEy
NjExMDUxNDEzMjhaMBkxFzAVBgNVBAMMDnNlY3VyZS5leGFtcGxlMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEItf2xJCq265jZF4C8St7easC5k3wNq8WGvptTyVL
yF39MvhQ1B9+N0217kcul+VHmhPHxCwFoBwTYNeJcwfw2qNuMGwwHQYDVR0OBBYE
FHalGpn5abgjU6NKdJ6lGOYiidL+MB8GA1UdIwQYMBaAFHalGpn5abgjU6NKdJ6l
GOYiidL+MA8GA1UdEwEB/wQFMAMBAf8wGQYDVR0RBBIwEIIOc2VjdXJlLmV4YW1w
bGUwCgYIKoZIzj0EAwIDSAAwRQIgbreFL0kKs9fx2aKyJ1djjBYTVA0py2BkgK/K
HVavOlsCIQCDWm9HIeP0JTxgcBuyFmnc4v4M2SEtrIIg5v8MS86tZg==
-----END CERTIFICATE-----
`;
