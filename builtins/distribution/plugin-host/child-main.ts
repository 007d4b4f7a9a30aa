// Entry point of the child process of one plugin.
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import { serveChild } from './child.ts';

// The plugin may replace these, or listen to the process: the channel to the server keeps its own.
const send = process.send?.bind(process);
const on = process.on.bind(process);
on('disconnect', () => process.exit(0));
// Node's permission model does not restrict signals: one starts the debugger of the server.
for (const name of ['kill', '_kill', '_debugProcess', '_debugEnd'] as const) {
  const refuse = (): never => {
    throw Object.assign(new Error(`process.${name} is not available to an isolated plugin.`), { code: 'ERR_ACCESS_DENIED' });
  };
  Object.defineProperty(process, name, { value: refuse, writable: false, configurable: false });
}
// A lower priority of the server would slow down everybody.
os.setPriority = () => {
  throw Object.assign(new Error('os.setPriority is not available to an isolated plugin.'), { code: 'ERR_ACCESS_DENIED' });
};
syncBuiltinESMExports();
serveChild({ post: (message) => void send?.(message), onMessage: (hear) => void on('message', hear) });
