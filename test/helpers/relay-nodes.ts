// Starts two control plane nodes as processes with PostgreSQL and NATS, behind a proxy that records the relayed requests.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNatsServer, startNatsServer } from './nats.ts';
import { hasTool } from './required-tools.ts';
import { runPlaneCommand, startPlaneProcess, type PlaneProcess } from './plane-process.ts';
import { createTestDatabase } from './postgres.ts';

export interface RelayedRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  status: number;
  reply: Buffer;
}

export interface OutsideNodes {
  /** URL of a proxy that sends each request to the next node that responds. */
  readonly url: string;
  readonly nodes: readonly PlaneProcess[];
  readonly homes: readonly string[];
  readonly place: string;
  /** License of an owner with all entitlements. */
  readonly license: string;
  /** PEM key that verifies licenses. */
  readonly publicKey: string;
  readonly relayed: RelayedRequest[];
  /** Can modify a relay reply before it is forwarded. */
  tamper: ((request: RelayedRequest) => Buffer | undefined) | undefined;
  killNode(at: number): Promise<void>;
  /** Resolves immediately if the node is running. Uses a new port, because the old one may be taken. */
  startNode(at: number): Promise<void>;
  /** Starts the stopped nodes: a test that ended early may have left one killed. */
  startNodes(): Promise<void>;
  close(): Promise<void>;
}

/** The reason why no nodes can be started. An embedded database supports only one node. */
export const missingForOutside: string | undefined =
  hasTool('PostgreSQL') && findNatsServer() !== undefined ? undefined : 'no PostgreSQL or nats-server is installed';

/** Starts the nodes from the build. The caller closes them. */
export async function startOutsideNodes(): Promise<OutsideNodes> {
  const place = await mkdtemp(join(tmpdir(), 'outside-'));
  const homes = [join(place, 'node-0'), join(place, 'node-1')];
  const [nats, databaseUrl] = await Promise.all([startNatsServer(), createTestDatabase()]);
  const running: Promise<PlaneProcess>[] = [];
  const targets: (string | undefined)[] = [];
  const relayed: RelayedRequest[] = [];
  let turn = 0;
  const proxy = createServer((request, response) => void pass(request, response));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const one: RelayedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: plainHeaders(request),
      body: Buffer.concat(chunks),
      status: 0,
      reply: Buffer.alloc(0),
    };
    const first = turn++;
    // A disconnected client must not trigger a second request, which would take a message from a waiting client.
    for (let tries = 0; tries < 2 && !response.destroyed; tries++) {
      const target = targets[(first + tries) % targets.length];
      if (target === undefined) continue;
      const reply = await new Promise<IncomingMessage | undefined>((resolve) => {
        const going = ask(target + one.path, { method: one.method, headers: request.headers, agent: false }, resolve);
        going.on('error', () => resolve(undefined));
        response.on('close', () => going.destroy());
        going.end(one.body);
      });
      if (!reply) continue;
      const parts: Buffer[] = [];
      try {
        for await (const part of reply) parts.push(part as Buffer);
      } catch {
        continue; // the node ended
      }
      Object.assign(one, { status: reply.statusCode ?? 502, reply: Buffer.concat(parts) });
      if (one.path.startsWith('/api/remote/')) {
        relayed.push(one);
        one.reply = outside.tamper?.(one) ?? one.reply;
      }
      const { 'transfer-encoding': _, connection: __, 'content-length': ___, ...headers } = reply.headers;
      response.writeHead(one.status, headers).end(one.reply);
      return;
    }
    response.writeHead(502).end();
  }

  const environment = { DATABASE_URL: databaseUrl, NATS_URL: nats.url, HUB_SECRET: 'a secret of the tests with more than 32 characters', HUB_PUBLIC_URL: url };
  const nodes: PlaneProcess[] = [];
  async function begin(at: number): Promise<PlaneProcess> {
    const node = await startPlaneProcess({ home: place, environment: { ...environment, HUB_HOME: homes[at] ?? '' } });
    targets[at] = node.url;
    nodes[at] = node;
    return node;
  }
  async function startNode(at: number): Promise<void> {
    const known = await running[at]?.catch(() => undefined);
    if (!known?.isRunning()) await (running[at] = begin(at));
  }
  for (const at of homes.keys()) await startNode(at);
  const commands = { home: place, environment: { ...environment, HUB_HOME: join(place, 'commands') } };
  const issued = await runPlaneCommand(commands, 'issue', '--email', 'ann@example.org', '--tier', 'pro', '--role', 'owner', '--org', 'Acme');
  const license = issued.out.split(/\s+/).find((word) => word.startsWith('eyJ'));
  if (license === undefined) throw new Error(`no license was issued: ${issued.out}${issued.err}`);
  const { body: key } = await nodes[0]!.call('GET', '/api/license/key');
  const publicKey: string = typeof key === 'string' ? key : (key.publicKey ?? key.pem ?? key.key);
  const outside: OutsideNodes = {
    ...{ url, nodes, homes, place, license, publicKey, relayed },
    tamper: undefined,
    async killNode(at) {
      await nodes[at]?.stop('SIGKILL');
      targets[at] = undefined;
    },
    startNode,
    async startNodes() {
      await Promise.all(homes.map((_, at) => startNode(at)));
    },
    async close() {
      proxy.closeAllConnections();
      proxy.close();
      await Promise.allSettled(running);
      for (const node of nodes) await node.stop('SIGKILL');
      await nats.kill();
      await rm(place, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  return outside;
}

function plainHeaders({ headers: { authorization, 'content-type': type } }: IncomingMessage): Record<string, string> {
  return { ...(authorization === undefined ? {} : { authorization }), ...(type === undefined ? {} : { 'content-type': type }) };
}
