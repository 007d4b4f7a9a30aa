// Tests bodies, names and connections crafted to break a server.
import { readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { runTurn, startHarness, startScriptedModel, useAll } from '../../helpers/in-process.ts';
import { rawRequest } from '../../helpers/raw-request.ts';

let headers: Record<string, string>;
const model = useAll(() => startScriptedModel());
const harness = useAll(() => startHarness({ environment: { ...model.environment, AGENT_REFLEXION_SEMANTIC: '0' } }));
beforeAll(async () => {
  headers = { authorization: `Bearer ${harness.token}`, 'content-type': 'application/json' };
});

const post = (path: string, body: string, method = 'POST') => rawRequest(harness.url, method, path, headers, body);
const isAlive = async (): Promise<boolean> => (await harness.call('GET', '/api/status')).status === 200;
const open = (): Socket => connect(Number(new URL(harness.url).port), '127.0.0.1');

describe('prototype pollution', () => {
  const bodies = ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"harness":{"env":{"__proto__":{"polluted":"1"}}}}'];
  const clean = (): void => {
    expect(({} as any).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
  };

  test.each(bodies)('in a body is rejected: %s', async (body) => {
    for (const [method, path] of [
      ['POST', '/api/message'],
      ['POST', '/api/chats'],
      ['PUT', '/api/settings'],
      ['POST', '/api/approve'],
    ] as const)
      expect((await post(path, body, method)).status, path).toBe(400);
    clean();
  });

  test('in the name of a setting or plugin changes nothing', async () => {
    for (const key of ['__proto__', 'constructor', 'toString']) {
      expect((await post('/api/settings', `{"harness":{"env":{"${key}":"1"}}}`, 'PUT')).status, key).toBe(key === '__proto__' ? 400 : 422);
      expect((await post(`/api/plugins/${key}`, '{"disabled":true}', 'PUT')).status, key).toBe(404);
    }
    clean();
  });

  test('in the preferences file is ignored', async () => {
    const second = await startHarness({ builtins: ['model-demo'] });
    await second.close({ keepFiles: true });
    const file = join(second.home, '.agent_runtime_prefs.json');
    await writeFile(
      file,
      '{"__proto__":{"polluted":1},"harness":{"env":{"__proto__":{"polluted":"1"},"constructor":"1"}},"plugins":{"disabled":["__proto__"]}}',
    );
    const third = await startHarness({ home: second.home, builtins: ['model-demo'] });
    expect((await third.call('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '7' } } })).status).toBe(200);
    expect(JSON.parse(await readFile(file, 'utf8')).harness.env).toMatchObject({ AGENT_MAX_ROUNDS: '7' });
    clean();
  });

  test('in tool call arguments is reported to the model, and nothing runs', async () => {
    const bad = ['{"path":"a.txt","content":"x","__proto__":{"polluted":1}}', '{"path":"a.txt","content":"x","constructor":{"prototype":{"polluted":1}}}'];
    for (const args of bad) {
      model.push({ toolCalls: [{ name: 'write_file', args }] }, { text: 'done' });
      const { events } = await runTurn(harness, 'go on');
      expect(events.find((event) => event.kind === 'tool_result')).toMatchObject({ ok: false });
    }
    await expect(readFile(join(harness.workspace, 'a.txt'))).rejects.toThrow();
    clean();
  });
});

describe('header injection', () => {
  const names = ['x%0d%0aset-cookie:%20a=1', 'x%0aset-cookie:a=1', '%E5%98%8A%E5%98%8Dset-cookie:a=1', 'x%22;%20filename=evil.html', 'x%00'];

  test.each(names)('by the id or name %s adds no header and returns 404 or 400', async (name) => {
    const { chatId } = (await harness.call('POST', '/api/chats', { workspaceMode: 'scratch' })).body;
    for (const path of [`/api/chats/${name}`, `/api/artifacts/${name}`, `/api/artifacts/${name}?chatId=${chatId}`, `/assets/${name}`, `/${name}`]) {
      const reply = await rawRequest(harness.url, 'GET', path, headers);
      expect([404, 400], path).toContain(reply.status);
      expect(reply.headers['set-cookie'], path).toBeUndefined();
      expect(reply.headers['content-type'], path).toBe('application/json; charset=utf-8');
    }
  });

  test('by a title, a sign-in state or a Last-Event-ID stays text', async () => {
    const title = 'a\r\nset-cookie: a=1';
    const made = await post('/api/chats', JSON.stringify({ title }));
    expect(made.headers['set-cookie']).toBeUndefined();
    for (const path of ['/api/hub/auth/callback?token=a&state=%0d%0aset-cookie:a=1', '/api/hub/connect/begin?return=%0d%0alocation:x'])
      expect((await rawRequest(harness.url, 'GET', path, headers)).headers).not.toHaveProperty('set-cookie');
    const bytes = `GET /api/status HTTP/1.1\r\nHost: ${new URL(harness.url).host}\r\nX: a\rb\r\nConnection: close\r\n\r\n`;
    const socket = open();
    socket.write(bytes);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('deeply nested bodies', () => {
  const depth = 100_000;
  const shapes: [string, string][] = [
    ['lists', '['.repeat(depth) + ']'.repeat(depth)],
    ['objects', '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)],
    ['unclosed lists', '['.repeat(depth)],
    ['lists in a field', `{"text":${'['.repeat(depth)}${']'.repeat(depth)}}`],
    ['objects in arguments', `{"approvalId":"x","decision":"approve","args":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`],
    ['objects in settings', `{"harness":${'{"env":'.repeat(depth)}1${'}'.repeat(depth)}}`],
  ];

  test.each(shapes)('with 100,000 levels of %s get a 400, and the server continues', async (_, body) => {
    for (const [method, path] of [
      ['POST', '/api/message'],
      ['POST', '/api/approve'],
      ['PUT', '/api/settings'],
    ] as const) {
      const reply = await post(path, body, method);
      expect([reply.status, reply.body?.error.code], path).toEqual([400, 'invalid_request']);
    }
    expect(await isAlive()).toBe(true);
    expect(harness.logs.join('\n')).not.toContain('Maximum call stack');
  });

  test('in a tool call are reported to the model', async () => {
    model.push({ toolCalls: [{ name: 'write_file', args: `{"path":"b.txt","content":${'['.repeat(depth)}${']'.repeat(depth)}}` }] }, { text: 'done' });
    const { end, events } = await runTurn(harness, 'go on');
    expect(events.find((event) => event.kind === 'tool_result')).toMatchObject({ ok: false });
    expect(end).toMatchObject({ reason: 'done' });
  });
});

describe('slow requests', () => {
  test('incomplete bodies delay no other client', async () => {
    const sockets = Array.from({ length: 50 }, open);
    const head = `POST /api/message HTTP/1.1\r\nHost: ${new URL(harness.url).host}\r\nAuthorization: ${headers['authorization']}\r\n`;
    for (const socket of sockets) socket.on('error', () => undefined).write(`${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"text":"`);
    expect(await isAlive()).toBe(true);
    for (const socket of sockets) socket.destroy();
    expect(await isAlive()).toBe(true);
  });
});
