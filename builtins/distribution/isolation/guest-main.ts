// What a thread or a child process of one plugin runs.
import { parentPort, workerData } from 'node:worker_threads';
import { serveGuest } from './guest.ts';
import type { Walls } from './guest-walls.ts';

if (parentPort) {
  const port = parentPort;
  serveGuest({ post: (message) => port.postMessage(message), onMessage: (hear) => void port.on('message', hear) }, workerData as Walls);
} else {
  const walls = JSON.parse(process.argv[2] ?? '{}') as Walls;
  // What a plugin finds here is not the channel to the server.
  const send = process.send?.bind(process);
  const on = process.on.bind(process);
  on('disconnect', () => process.exit(0));
  serveGuest({ post: (message) => void send?.(message), onMessage: (hear) => void on('message', hear) }, walls);
}
