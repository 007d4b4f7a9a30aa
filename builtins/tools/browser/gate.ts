// Implements the only network access of the browser: a loopback proxy that resolves names itself, and connects only to addresses that it has checked.
import { randomBytes } from 'node:crypto';
import { createServer, request as openRequest, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type LookupFunction, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FoundAddress } from '#lib/net';
import { judgeTarget } from './targets.ts';

export interface Gate {
  /** URL of the proxy: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Number of refused connections. */
  readonly refusals: number;
  /** Returns sentences about the connections that were refused since the last call. */
  takeRefused(): string[];
  /** Ends all connections. */
  close(): Promise<void>;
}

/** Headers that belong to the connection between browser and proxy and must not reach the site. */
const ownHeaders = new Set(['proxy-authorization', 'proxy-connection', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade']);
const connectMs = 15_000;
const keptRefusals = 20;

/**
 * Starts the proxy. It resolves each name once and connects to the address that it checked. Redirects, pop-ups, frames, sockets, and names whose address
 * changes in between therefore all pass the same check. The caller must close the gate.
 */
export async function startGate(allowed: () => string): Promise<Gate> {
  const username = 'browser';
  const password = randomBytes(24).toString('hex');
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const refused: string[] = [];
  const sockets = new Set<Duplex>();
  let refusals = 0;

  function own<S extends Duplex>(socket: S): S {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  }

  async function judge(host: string, port: number): Promise<readonly FoundAddress[] | { readonly why: string; readonly status: number }> {
    const ruling = await judgeTarget(host, port, allowed());
    if ('addresses' in ruling) return ruling.addresses;
    if (ruling.isRefused) refusals++;
    if (ruling.isRefused && refused.length < keptRefusals && !refused.includes(ruling.why)) refused.push(ruling.why);
    return { why: ruling.why, status: ruling.isRefused ? 403 : 502 };
  }

  async function forward(incoming: IncomingMessage, reply: ServerResponse): Promise<void> {
    if (incoming.headers['proxy-authorization'] !== expected)
      return refuse(reply, 407, 'This proxy is not for you.', { 'proxy-authenticate': 'Basic realm="gate"' });
    const target = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : undefined;
    if (target?.protocol !== 'http:') return refuse(reply, 400, 'Only http requests are allowed here.');
    const port = target.port === '' ? 80 : Number(target.port);
    const addresses = await judge(target.hostname, port);
    if ('why' in addresses) return refuse(reply, addresses.status, addresses.why);
    const headers = Object.fromEntries(Object.entries(incoming.headers).filter(([name]) => !ownHeaders.has(name)));
    const outgoing = openRequest({
      ...{ host: target.hostname.replace(/^\[|\]$/g, ''), port, method: incoming.method, path: target.pathname + target.search },
      headers: { ...headers, host: target.host, connection: 'close' },
      ...{ setHost: false, agent: false, lookup: lookupOf(addresses) },
    });
    outgoing.on('socket', (socket: Socket) => own(socket));
    outgoing.on('response', (answer) => {
      reply.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.headers);
      answer.pipe(reply);
      answer.on('error', () => reply.destroy());
    });
    outgoing.on('error', () => (reply.headersSent ? reply.destroy() : refuse(reply, 502, 'The site could not be reached.')));
    reply.on('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }

  async function tunnel(incoming: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    own(client);
    if (incoming.headers['proxy-authorization'] !== expected)
      return void client.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="gate"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      );
    const target = URL.canParse(`http://${incoming.url}`) ? new URL(`http://${incoming.url}`) : undefined;
    const port = Number(/:(\d+)$/.exec(incoming.url ?? '')?.[1]);
    if (!target || !Number.isInteger(port)) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    const addresses = await judge(target.hostname, port);
    if ('why' in addresses) return void client.end(`HTTP/1.1 ${addresses.status} Refused\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    if (client.destroyed) return;
    const site = own(connect({ host: target.hostname.replace(/^\[|\]$/g, ''), port, lookup: lookupOf(addresses), autoSelectFamily: true }));
    site.setTimeout(connectMs, () => site.destroy());
    site.once('connect', () => {
      site.setTimeout(0);
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      if (head.length > 0) site.write(head);
      site.pipe(client).pipe(site);
    });
    site.once('close', () => client.destroy());
    client.once('close', () => site.destroy());
  }

  const server = createServer((incoming, reply) => {
    forward(incoming, reply).catch(() => reply.destroy());
  });
  server.on('connection', (socket) => own(socket));
  server.on('connect', (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    tunnel(incoming, client, head).catch(() => client.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    username,
    password,
    get refusals() {
      return refusals;
    },
    takeRefused: () => refused.splice(0),
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Returns a lookup function that yields the checked addresses, whatever the current addresses of the name. */
function lookupOf(addresses: readonly FoundAddress[]): LookupFunction {
  return (_host, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function refuse(reply: ServerResponse, status: number, why: string, headers: OutgoingHttpHeaders = {}): void {
  reply.writeHead(status, { ...headers, 'content-type': 'text/plain; charset=utf-8', connection: 'close' }).end(`Refused: ${why}`);
}
