// Runs only the kernel, the platform and three built-ins: does one round and kills itself at the given step.
// Arguments: home, workspace, the round as JSON. Reports progress in lines on standard output, each written before the next step.
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { openDistribution } from '../../../dist/index.mjs';

const [home, workspace, roundText] = process.argv.slice(2);
const { chatIds, kind, nth = 1, when, newChats = 0 } = JSON.parse(roundText);

const tell = (topic, text) => writeSync(1, `${topic} ${text}\n`);
let left = Infinity;
function dieAt(isHere) {
  if (isHere && --left === 0) process.kill(process.pid, 'SIGKILL');
}
globalThis.crashStep = (name) => dieAt(when === 'within' && kind === name);

const opened = await openDistribution(
  { name: 'app', title: 'Crash', builtins: ['model-chat-completions', 'files', 'checkpoints'] },
  { home, startFolder: workspace, environment: { ...process.env, AGENT_WORKSPACE_ROOT: workspace, AGENT_YOLO: '1' }, log: () => undefined },
);
await opened.ready;
const { kernel } = opened;
const [chats, turns, eventLog] = ['chats', 'turns', 'eventLog'].map((name) => kernel.resolve(name));
eventLog.subscribe((frames) => {
  for (const frame of frames) {
    tell('saw', frame.json);
    dieAt(when === 'after' && frame.kind === kind);
  }
});
// The event log received the event first and writes it at the end of this event loop iteration.
if (when === 'before') kernel.emitter.on(kind, () => dieAt(true));

await kernel.emitter.call('app.start', []);
tell('busy', String(turns.isBusy()));
// The parent process checks the home folder now.
await once(process.stdin, 'data');
const all = [...chatIds];
for (let made = 0; made < newChats; made++) {
  const { chatId } = await chats.create({});
  all.push(chatId);
  tell('chat', chatId);
}

async function send(chatId, text, whenBusy = 'queue') {
  const accepted = await turns.submit({ chatId, text, whenBusy });
  tell('accepted', JSON.stringify(accepted));
  return accepted;
}

const { reason } = await turns.ended((await send(all[0], 'ping')).turnId);
tell('ping', reason);

left = nth;
const sent = await Promise.all(all.flatMap((chatId) => [send(chatId, 'go'), send(chatId, 'go on'), send(chatId, 'and this', 'steer')]));
await Promise.all(sent.map(({ turnId }) => turns.ended(turnId)));
tell('idle', '');
// The parent kills this process after this line. Standard input keeps it alive until then.
