// One process that stores or transcribes a recording and kills itself at the given step.
// Arguments: home, workspace, the run as JSON. Reports progress in lines on standard output.
import { readFileSync, writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { aroundRenames } from './around-renames.mjs';

const [home, workspace, lifeText] = process.argv.slice(2);
/** `step`: where to kill itself: `file before`, `file after`, `announced`, `answered`; `clip`: file to upload; `attachmentId`: recording to transcribe. */
const { step = '', clip, attachmentId } = JSON.parse(lifeText);
const tell = (topic, said) => writeSync(1, `${topic} ${said}\n`);
const dieAt = (name) => name === step && process.kill(process.pid, 'SIGKILL');

const isOurs = (path) => /[\\/]audio[\\/]att_\w+(\.json)?$/.test(path);
aroundRenames(
  (path) => isOurs(path) && dieAt('file before'),
  (path) => isOurs(path) && dieAt('file after'),
);

const { openDistribution } = await import('../../../dist/index.mjs');
const dist = (name) => fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url));
const opened = await openDistribution(
  { name: 'app', title: 'Kills' },
  {
    ...{ home, startFolder: workspace, environment: { ...process.env, AGENT_WORKSPACE_ROOT: workspace } },
    sources: [
      { origin: 'platform', dir: dist('plugins') },
      { origin: 'builtin', dir: dist('builtins'), include: ['model-chat-completions', 'audio-engines', 'audio-hosted', 'transcription'] },
    ],
    log: (level, plugin, message) => tell('log', `${level} ${plugin} ${message}`),
  },
);
await opened.ready;
const { kernel } = opened;
kernel.emitter.on('transcription', () => dieAt('announced'));
await kernel.emitter.call('app.start', []);
const post = async (path, body) => {
  const headers = { 'content-type': 'application/json' };
  const reply = await kernel.resolve('http').dispatch({ method: 'POST', path, headers, body }, { principal: { kind: 'owner', id: 'owner', role: 'owner' } });
  tell('answer', `${reply.status} ${reply.body.toString()}`);
};
if (clip !== undefined) await post('/api/audio/upload', { dataUrl: `data:audio/wav;base64,${readFileSync(clip).toString('base64')}` });
if (attachmentId !== undefined) await post('/api/transcribe', { attachmentId });
dieAt('answered');
await kernel.emitter.call('app.stop', []);
await kernel.close();
process.exit(0);
