// A loopback web site for the browser tool tests.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

export interface Site {
  readonly url: string;
  readonly port: number;
  readonly requests: { readonly method: string; readonly path: string; readonly body: string; readonly headers: IncomingMessage['headers'] }[];
  readonly connections: number;
  close(): Promise<void>;
}

export async function startSite(pages: Readonly<Record<string, string | Respond>>): Promise<Site> {
  const requests: Site['requests'] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')));
    request.on('end', () => {
      const path = request.url ?? '/';
      requests.push({ method: request.method ?? '', path, body, headers: request.headers });
      const page = pages[path.split('?', 1)[0] ?? path];
      if (typeof page === 'function') return page(request, response);
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(page ?? 'nothing here');
    });
  });
  server.on('connection', () => connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    get connections() {
      return connections;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
