// What a thread or a child process of one plugin runs.
import { parentPort, workerData } from 'node:worker_threads';
import v8 from 'node:v8';
import { serveGuest } from './guest.ts';
import type { Walls } from './guest-walls.ts';
import type { ThreadStart } from './launch.ts';
import { threadEveryMs, threadWords } from './thread-memory.ts';

if (parentPort) {
  const port = parentPort;
  const { walls, words } = workerData as ThreadStart;
  tellMemory(words);
  serveGuest({ post: (message) => port.postMessage(message), onMessage: (hear) => void port.on('message', hear) }, walls);
} else {
  const walls = JSON.parse(process.argv[2] ?? '{}') as Walls;
  // What a plugin finds here is not the channel to the server.
  const send = process.send?.bind(process);
  const on = process.on.bind(process);
  on('disconnect', () => process.exit(0));
  serveGuest({ post: (message) => void send?.(message), onMessage: (hear) => void on('message', hear) }, walls);
}

/** For whoever cannot ask, because this thread may be busy. What is used is taken now: the plugin may put something else in its place. */
function tellMemory(words: Int32Array): void {
  const { getHeapStatistics } = v8;
  const { beat, outsideKb } = threadWords;
  setInterval(() => {
    words[outsideKb] = getHeapStatistics().external_memory / 1_024;
    words[beat] = (words[beat] ?? 0) + 1;
  }, threadEveryMs).unref();
}
