// One process with the heartbeat: recovers, optionally runs one turn and one heartbeat tick, and kills itself at the given step.
// Arguments: home, workspace, the run as JSON. Reports progress in lines on standard output.
import { writeSync } from 'node:fs';
import { uptime } from 'node:os';
import { fileURLToPath } from 'node:url';
import { aroundRenames } from './around-renames.mjs';

const [home, workspace, lifeText] = process.argv.slice(2);
/** `step`: where to kill itself: `started`, `said before`, `said after`, `file before 2`, …; `hours`: clock offset; `isEarly`: aborts the waiting tick. */
const { step = '', hours = 0, isEarly = false, text } = JSON.parse(lifeText);
const tell = (topic, said) => writeSync(1, `${topic} ${said}\n`);
const dieAt = (name) => name === step && process.kill(process.pid, 'SIGKILL');

let renames = 0;
const isOurs = (path) => /heartbeat\.jsonl?$/.test(path);
aroundRenames(
  (path) => isOurs(path) && dieAt(`file before ${++renames}`),
  (path) => isOurs(path) && dieAt(`file after ${renames}`),
);

const { openDistribution } = await import('../../../dist/index.mjs');
const heartbeat = await import('../../../dist/builtins/heartbeat.mjs');
const dist = (name) => fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url));
const clock = {
  now: Date.now,
  up: () => uptime() * 1_000 + hours * 3_600_000,
  after(ms, work) {
    if (isEarly) {
      tell('waits', String(ms));
      queueMicrotask(() => quiet.abort());
      return () => undefined;
    }
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};
const quiet = new AbortController();
let job;
const timed = {
  manifest: heartbeat.manifest,
  register(registry, emitter) {
    const own = Object.create(registry, {
      add: { value: (point, item) => (point === 'job' ? void (job = item) : registry.add(point, item)) },
    });
    return heartbeat.register(own, emitter, clock);
  },
};
const opened = await openDistribution(
  { name: 'app', title: 'Kills' },
  {
    ...{
      home,
      startFolder: workspace,
      environment: { ...process.env, AGENT_WORKSPACE_ROOT: workspace, AGENT_HEARTBEAT: '1', AGENT_HEARTBEAT_SURFACE: 'assistant' },
    },
    sources: [
      { origin: 'platform', dir: dist('plugins') },
      { origin: 'builtin', dir: dist('builtins'), include: ['model-chat-completions'] },
      { origin: 'builtin', modules: { heartbeat: timed } },
    ],
    log: (level, plugin, message) => tell('log', `${level} ${plugin} ${message}`),
  },
);
await opened.ready;
const { kernel } = opened;
kernel.emitter.on('heartbeat_started', () => dieAt('started'));
kernel.emitter.on('announcement', () => dieAt('said before'));
kernel.resolve('eventLog').subscribe((frames) => {
  for (const { kind } of frames) if (kind === 'announcement') dieAt('said after');
});
const { call } = kernel.emitter;
await call('app.start', []);
// Replies after the heartbeat has recovered from a crash.
await kernel.resolve('http').dispatch({ method: 'GET', path: '/api/heartbeat' }, { principal: { kind: 'owner', id: 'owner', role: 'owner' } });
tell('recovered', '');

const turns = kernel.resolve('turns');
if (text !== undefined) {
  const heard = new Promise((resolve) => kernel.emitter.tap('turn.after', () => resolve(), { order: 'post' }));
  const { turnId } = await turns.submit({ text });
  await turns.ended(turnId);
  await heard;
}
await job.run({ signal: quiet.signal, dueAt: Date.now() });
tell('over', '');
await call('app.stop', []);
await kernel.close();
process.exit(0);
