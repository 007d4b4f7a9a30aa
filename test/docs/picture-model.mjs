// Captures examples that need a second server with a scripted model: the prompt sent to the model, and the effect of a token, a secret or a voice.
import { createHmac } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const secret = 'a-secret-of-the-build-service';
const guest = 'the-token-of-the-guest';

/** @returns {Promise<{ server: object, home: string, environment: object, model: object, stop(): Promise<void> }>} the caller stops it */
export async function startWithModel({ helpers, place, workspace, environment: usual }) {
  const { startScriptedModel } = await helpers('scripted-model');
  const { startServerProcess } = await helpers('server-process');
  const home = join(place, 'second-home');
  mkdirSync(home, { mode: 0o700 });
  cpSync(join(usual.APP_HOME, 'plugins'), join(home, 'plugins'), { recursive: true });
  const model = await startScriptedModel(() => ({ text: 'All is quiet in the harbour tonight.' }));
  const environment = {
    ...usual,
    ...model.environment,
    HOME: home,
    APP_HOME: home,
    AGENT_TTS_ENABLED: '1',
    AGENT_TTS_ENGINE: 'beeps',
    EXAMPLE_HOOK_SECRET: secret,
    EXAMPLE_GUEST_TOKEN: guest,
    EXAMPLE_SMALL_MODEL: 'small',
    AGENT_COMPRESS_SEMANTIC: '1',
    AGENT_CONTEXT_TOKENS: '16000',
  };
  const server = await startServerProcess({ home, workspace, environment });
  const until = performance.now() + 30_000;
  while ((await server.call('GET', '/api/config')).status !== 200 && performance.now() < until) await pause();
  return {
    server,
    home,
    environment,
    model,
    async stop() {
      await server.stop();
      await model.close();
    },
  };
}

const pause = () => new Promise((go) => setTimeout(go, 50));

export async function talk(server, title, texts) {
  const { chatId } = (await server.call('POST', '/api/chats', { title })).body;
  for (const text of texts) {
    await server.call('POST', '/api/message', { chatId, text });
    const until = performance.now() + 30_000;
    while ((await server.call('GET', '/api/status')).body.busy && performance.now() < until) await pause();
  }
  return chatId;
}

export async function tellOfBuild({ server }, build) {
  const body = JSON.stringify(build);
  const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const reply = await fetch(`${server.url}/api/hooks/build`, { method: 'POST', headers: { 'x-signature': signature, 'content-type': 'application/json' }, body });
  return { body, signature, status: reply.status };
}

/** @returns {Promise<Record<string, string>>} texts by the names used in the guides */
export async function withModel(second, { app }) {
  const { server, model, home } = second;
  const chatId = await talk(server, 'House style', ['Hello']);
  const style = model.requests.at(-1).body;
  const build = await tellOfBuild(second, { name: 'harbour', state: 'done' });
  const guestCall = async (method, path, body) => {
    const headers = { authorization: `Bearer ${guest}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const { status } = await fetch(server.url + path, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    return `${method} ${path}: ${status}`;
  };
  const inbox = (more) => fetch(`${server.url}/api/inbox/log.md`, { ...more, headers: { authorization: `Bearer ${server.token}`, ...more.headers } });
  const kept = await (await inbox({ method: 'PUT', body: 'Calm sea\n' })).text();
  const part = await (await inbox({ headers: { range: 'bytes=0-3' } })).text();
  const compact = await smallModel(second);
  const due = JSON.parse(readFileSync(join(home, 'schedule.json'), 'utf8'))['look-at-the-sea'];
  return {
    'house-style': sectionOf(style),
    'small-model': compact,
    'http-motto': await motto(server),
    webhook: `$ curl -H "X-Signature: ${build.signature.slice(0, 13)}…" -d '${build.body}' http://127.0.0.1:3001/api/hooks/build\n${build.status} accepted`,
    'http-guest': `# with the token of the guest\n${[await guestCall('GET', '/api/chats'), await guestCall('POST', '/api/message', { chatId, text: 'Hello' }), await guestCall('GET', '/api/settings')].join('\n')}`,
    'http-inbox': `$ curl -H "Authorization: Bearer $TOKEN" -T log.md http://127.0.0.1:3001/api/inbox/log.md\n${kept}\n$ curl -H "Authorization: Bearer $TOKEN" -r 0-3 http://127.0.0.1:3001/api/inbox/log.md\n${part}`,
    schedule: `$ cat ~/.app/schedule.json\n{ …, "look-at-the-sea":${JSON.stringify(due)}, … }`,
    'log-after-turn': /^.*a turn with.*$/m.exec(server.output())?.[0] ?? server.output(),
    'cli-speak': `$ AGENT_TTS_ENGINE=beeps app speak --out tide.wav 'High tide at seven'\n${await app('speak', '--out', 'tide.wav', 'High tide at seven')}`,
  };
}

async function motto(server) {
  await server.call('POST', '/api/persona/bootstrap', { input: 'A calm pilot who knows every shoal' });
  const until = performance.now() + 30_000;
  const read = async () => (await server.call('GET', '/api/persona')).body;
  let persona = await read();
  for (; persona.artifacts?.motto === undefined && performance.now() < until; persona = await read()) await pause();
  return `$ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3001/api/persona\n{ …, "artifacts": { …, "motto": ${JSON.stringify(persona.artifacts.motto)} }, … }`;
}

async function smallModel({ server, model }) {
  const log = 'Calm sea, wind from the west. '.repeat(60);
  const chatId = await talk(server, 'Logs', Array.from({ length: 40 }, (_, day) => (day % 2 === 0 ? `The log of day ${day + 1}. ${log}` : '/call list_ships {}')));
  const usual = model.requests.at(-1).body.model;
  const { body } = await server.call('POST', '/api/commands', { chatId, name: 'compact', args: '' });
  if (!model.requests.some((request) => request.body.model === 'small')) throw new Error(`no digest was asked for: ${body.text}`);
  return `answers   { "model": "${usual}", … }\ndigests   { "model": "small", … }`;
}

function sectionOf({ messages }) {
  const { content } = messages[0];
  const text = typeof content === 'string' ? content : content.map((part) => part.text).join('\n\n');
  const line = text.split('\n').find((one) => one.includes('House style'));
  return `system\n  …\n  ${line}`;
}
