// A loopback server that serves the sample pages and scripted answers, and records its requests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { startLocalServer } from '../../../helpers/local-server.ts';
import { site } from './pages/site.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse, count: number) => void;

export interface FaultServer {
  readonly host: string;
  readonly url: string;
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers']; readonly at: number }[];
  count(path: string): number;
  connections(): Promise<number>;
  /** `count` starts at 1. */
  on(path: string, answer: Answer): void;
  close(): Promise<void>;
}

/** Closed with the test; the caller closes a server of several tests. */
export async function startFaultServer(): Promise<FaultServer> {
  const answers = new Map<string, Answer>();
  const requests: FaultServer['requests'] = [];
  const count = (path: string): number => requests.filter((request) => request.path === path).length;
  const { url, port, server, close } = await startLocalServer((request, response) => {
    const path = request.url ?? '/';
    requests.push({ path, headers: request.headers, at: performance.now() });
    const saved = site[path.slice(1).split('?')[0] ?? ''];
    const answer = answers.get(path) ?? answers.get(path.split('?')[0] ?? '');
    if (answer) answer(request, response, count(path));
    else if (saved) response.writeHead(200, { 'content-type': saved.type }).end(saved.body);
    else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Nothing here</p>');
  });
  return {
    host: `127.0.0.1:${port}`,
    url,
    requests,
    count,
    connections: () => new Promise((resolve) => server.getConnections((_, open) => resolve(open))),
    on: (path, answer) => void answers.set(path, answer),
    close,
  };
}
