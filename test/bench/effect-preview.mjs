// `node test/bench/effect-preview.mjs`: what it costs on the built server to see what a command changes, in a workspace of 10,000 files. The same command
// through all of it, from the message to its result, with the preview and without, in turns; the difference is what the preview costs. `--json` prints JSON.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, freePort, percentile, readEvents, startModel, startServer } from './client.mjs';

const files = 10_000;
const runs = 21;
const targetMs = 150;
const commands = {
  'one file edited': 'echo more >> d1/f1.txt; echo said',
  '20 files edited': 'for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo more >> d2/f$i.txt; done',
  'nothing changed': 'echo said; true',
};

const place = mkdtempSync(join(tmpdir(), 'effect-preview-'));
const [home, workspace] = [join(place, 'home'), join(place, 'work')];
mkdirSync(home);
for (let folder = 0; folder < 100; folder++) {
  mkdirSync(join(workspace, `d${folder}`), { recursive: true });
  for (let file = 0; file < files / 100; file++) writeFileSync(join(workspace, `d${folder}/f${file}.txt`), `line ${file}\n`.repeat(40));
}

/** Events as they come; `next` takes the first of a kind that nobody took. */
function createReader() {
  const events = [];
  const waiting = [];
  return {
    onEvent(event) {
      events.push(event);
      for (const one of [...waiting]) one();
    },
    next(...kinds) {
      return new Promise((resolve) => {
        const look = () => {
          const at = events.findIndex(({ kind }) => kinds.includes(kind));
          if (at === -1) return;
          waiting.splice(waiting.indexOf(look), 1);
          resolve(events.splice(0, at + 1).at(-1));
        };
        waiting.push(look);
        look();
      });
    },
  };
}

async function once({ url, token }, reader, command) {
  const post = (path, body) => call(url + path, { method: 'POST', token, body });
  const started = performance.now();
  await post('/api/message', { text: `/call run_command ${JSON.stringify({ command })}` });
  const approval = await reader.next('tool_approval');
  let { rehearsal } = approval;
  if (rehearsal?.state === 'running') ({ rehearsal } = await reader.next('approval_rehearsed'));
  if (rehearsal && rehearsal.state !== 'ready') throw new Error(`it was not shown: ${rehearsal.why}`);
  const asked = performance.now();
  await post('/api/approve', { approvalId: approval.approvalId, decision: 'approve', ...(rehearsal ? { rehearsal: rehearsal.id } : {}) });
  await reader.next('tool_result');
  const ended = performance.now();
  await reader.next('turn_end');
  return { all: ended - started, answer: ended - asked };
}

async function say({ url, token }, reader, text) {
  await call(`${url}/api/message`, { method: 'POST', token, body: { text } });
  await reader.next('turn_end');
}

const model = await startModel();
try {
  const environment = { PORT: String(await freePort()), AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'bench' };
  const server = await startServer({ home, workspace, environment });
  const reader = createReader();
  let open;
  const ready = new Promise((resolve) => (open = resolve));
  void readEvents(`${server.url}/api/stream`, { token: server.token, onOpen: open, onEvent: (event) => reader.onEvent(event.data ?? event) }).catch(
    () => undefined,
  );
  await ready;
  const rows = [];
  try {
    for (const [name, command] of Object.entries(commands)) {
      const found = { on: [], off: [] };
      for (let run = 0; run < runs + 2; run++) {
        for (const mode of ['off', 'on']) {
          await say(server, reader, `/preview ${mode}`);
          const took = await once(server, reader, command);
          // The first ones load code.
          if (run >= 2) found[mode].push(took);
        }
      }
      const of = (mode, what, share = 0.5) =>
        percentile(
          found[mode].map((one) => one[what]),
          share,
        );
      rows.push(
        [`${name}: without the preview, ms (median)`, of('off', 'all').toFixed(1), ''],
        [`… with it`, of('on', 'all').toFixed(1), ''],
        [`… what it costs`, (of('on', 'all') - of('off', 'all')).toFixed(1), `≤ ${targetMs}`],
        [`… from the yes to the result`, of('on', 'answer').toFixed(1), ''],
      );
    }
  } finally {
    await server.stop();
  }
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`);
  else for (const [measured, value, target] of rows) process.stdout.write(`${measured.padEnd(52)}  ${value.padStart(8)}  ${target}\n`);
} finally {
  model.stop();
  rmSync(place, { recursive: true, force: true });
}
