// Changes the persona of a home folder and kills itself at a given write step.
// Arguments: home, the requests as JSON (`[{method, path, body}]`), the step. Prints `accepted` after each reply, and at the end `done` with the step count.
import { writeSync } from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [home, requestsText, stepText] = process.argv.slice(2);
const folder = join(home, 'persona');
const tell = (text) => writeSync(1, `${text}\n`);
let step = 0;
let isArmed = false;
function pass() {
  if (isArmed && ++step === Number(stepText)) process.kill(process.pid, 'SIGKILL');
}

const isOurs = (path) => String(path).startsWith(folder);
const ours = new WeakSet();
for (const name of ['rename', 'rm', 'mkdir']) {
  const real = promises[name];
  promises[name] = (path, ...rest) => {
    if (isOurs(path)) pass();
    return real(path, ...rest);
  };
}
const realOpen = promises.open;
promises.open = async (path, ...rest) => {
  if (isOurs(path)) pass();
  const file = await realOpen(path, ...rest);
  if (isOurs(path)) ours.add(file);
  const kind = Object.getPrototypeOf(file);
  if (!kind.isPatched) {
    kind.isPatched = true;
    const { writeFile, sync } = kind;
    kind.writeFile = async function (content) {
      if (!ours.has(this)) return writeFile.call(this, content);
      pass();
      const half = content.length >> 1;
      await writeFile.call(this, content.slice(0, half));
      pass();
      return writeFile.call(this, content.slice(half));
    };
    kind.sync = function () {
      if (ours.has(this)) pass();
      return sync.call(this);
    };
  }
  return file;
};
syncBuiltinESMExports();

const { openDistribution } = await import('../../../dist/index.mjs');
const { kernel, ready } = await openDistribution(
  { name: 'app', title: 'Crash', builtins: ['persona', 'persona-theme', 'model-demo'] },
  { home, startFolder: home, environment: { ...process.env }, log: () => undefined },
);
await ready;
await kernel.emitter.call('app.start', []);
const http = kernel.resolve('http');
let over = () => undefined;
const ended = new Promise((resolve) => (over = resolve));
kernel.emitter.on('persona_progress', ({ stage }) => (['done', 'failed'].includes(stage) ? over() : undefined));
// Reads the existing state first, so that only steps of the change are counted.
await http.dispatch({ method: 'GET', path: '/api/persona' }, { principal: { kind: 'owner', id: 'owner', role: 'owner' } });
isArmed = true;
for (const request of JSON.parse(requestsText)) {
  const { status, body } = await http.dispatch(request, { principal: { kind: 'owner', id: 'owner', role: 'owner' } });
  if (status >= 300) throw new Error(`${request.path} answered ${status}: ${body}`);
  tell('accepted');
  if (status === 202 && request.body.input) await ended;
}
isArmed = false;
tell(`done ${step}`);
process.exit(0);
