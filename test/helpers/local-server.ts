// Starts a loopback server with a handler from the test.
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterTest } from './close-after-test.ts';

export interface LocalServer {
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  close(): Promise<void>;
}

/** Starts the server, which is closed after the unit test that started it. Uses a free port unless `port` is given. */
export async function startLocalServer(answer: RequestListener, atPort = 0): Promise<LocalServer> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(atPort, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  closeAfterTest(close);
  return { url: `http://127.0.0.1:${port}`, port, server, close };
}
