// One of several processes on one home. It starts a dream run on command. Arguments: home, workspace. Reports in lines on standard output.
// Commands in lines on standard input: `start`, `say <text>`, `dream` (as an idle job), `ask` (as a user), `end`.
import { createInterface } from 'node:readline';
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openDistribution } from '../../../dist/index.mjs';
import * as dream from '../../../dist/builtins/dream.mjs';

const [home, workspace] = process.argv.slice(2);
const tell = (topic, said = {}) => writeSync(1, `${JSON.stringify({ topic, ...said })}\n`);
const dist = (name) => fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url));
let job;
const heard = {
  manifest: dream.manifest,
  register(registry, emitter) {
    const own = Object.create(registry, { add: { value: (point, item) => (point === 'job' ? void (job = item) : registry.add(point, item)) } });
    return dream.register(own, emitter);
  },
};
const { kernel, ready } = await openDistribution(
  { name: 'app', title: 'Dreamers' },
  {
    ...{ home, startFolder: workspace, environment: { ...process.env, AGENT_WORKSPACE_ROOT: workspace } },
    sources: [
      { origin: 'platform', dir: dist('plugins') },
      { origin: 'builtin', dir: dist('builtins'), include: ['model-chat-completions', 'memory', 'evidence-gates'] },
      { origin: 'builtin', modules: { dream: heard } },
    ],
    log: () => undefined,
  },
);
await ready;
const { call, on } = kernel.emitter;
for (const kind of ['dream_gate', 'dream_started', 'dream_completed', 'dream_failed']) on(kind, (event) => tell(kind, event));
tell('ready');

const turns = kernel.resolve('turns');
const told = {
  start: () => call('app.start', []),
  async say(text) {
    await turns.ended((await turns.submit({ text })).turnId);
  },
  dream: () => job.run({ signal: new AbortController().signal, dueAt: Date.now() }),
  async ask() {
    const principal = { kind: 'owner', id: 'owner', role: 'owner' };
    const { body } = await kernel.resolve('http').dispatch({ method: 'POST', path: '/api/dreams', body: {} }, { principal });
    return JSON.parse(Buffer.from(body).toString());
  },
  async end() {
    await call('app.stop', []);
    await kernel.close();
    process.exit(0);
  },
};
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, ...rest] = line.split(' ');
  told[word](rest.join(' ')).then(
    (answer) => tell('over', { word, ...(answer ? { answer } : {}) }),
    (fault) => tell('over', { word, fault: String(fault) }),
  );
});
