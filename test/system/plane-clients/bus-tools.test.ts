// Tests the team bus tools: agents exchange messages, which they treat as untrusted text.
import { expect, onTestFinished, test } from 'vitest';
import { signedIn, startService, type Service, type ServiceOptions, type SignedIn } from '../../helpers/plane-service.ts';
import { addMember, startPlane } from '../../helpers/plane.ts';
import { useAll } from '../../helpers/use-opened.ts';

const builtins = ['hub', 'model-chat-completions', 'team-bus'];
const plane = useAll(() => startPlane());
const ann = useAll(async () => signedIn(plane, await addMember(plane, { email: 'ann@example.org', role: 'owner' })));
const bob = useAll(async () => signedIn(plane, await addMember(plane, { email: 'bob@example.org', role: 'member' })));

async function start(who: SignedIn, options: ServiceOptions = {}): Promise<Service> {
  const service = await startService(who, { builtins, environment: { AGENT_YOLO: '1' }, ...options });
  onTestFinished(async () => void (await service.close()));
  return service;
}
const call = (name: string, args: object) => ({ toolCalls: [{ name, args }] });
const results = async (service: Service): Promise<any[]> => (await service.say()).filter(({ kind }) => kind === 'tool_result');

test('delivers a published message once, as untrusted text', async () => {
  const publish = (text: string) => call('team_bus_publish', { workspace: 'global', key: 'interface_changed', envelope: { text } });
  const writer = await start(ann, { script: [publish('first'), publish('second'), { text: 'ok' }] });
  expect((await results(writer)).map(({ output }) => output)).toEqual(['Published as message 1 of global.', 'Published as message 2 of global.']);
  const poll = call('team_bus_poll', { workspace: 'global' });
  const reader = await start(bob, { script: [poll, poll, call('team_bus_poll', { workspace: 'global', since: 1 }), { text: 'ok' }] });
  const [first, again, since] = await results(reader);
  expect(first.output).toContain('1 · ');
  expect(first.output).toContain('ann@example.org · interface_changed: {"text":"first"}');
  expect(again.output).toContain('Nothing new in global after message 2.');
  expect([since.output.includes('"second"'), since.output.includes('"first"')]).toEqual([true, false]);
  const shown = reader.model.requests[1]?.body.messages.find((message: any) => message.role === 'tool').content as string;
  expect(shown).toMatch(/external data/);
});

test('fails the tool without the control plane and completes the turn', async () => {
  const script = [call('team_bus_poll', { workspace: 'global' }), call('team_bus_publish', { workspace: 'g', key: 'k', envelope: 1 }), { text: 'ok' }];
  const service = await start({ ...bob, url: 'http://127.0.0.1:9' }, { script });
  const events = await service.say();
  expect(events.filter(({ kind }) => kind === 'tool_result')).toMatchObject([{ ok: false }, { ok: false }]);
  expect(events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done' });
});

test('reads, waits for and publishes messages over HTTP as the signed-in person', async () => {
  const [writer, reader] = [await start(ann), await start(bob)];
  const publish = (service: Service, envelope: unknown) => service.call('POST', '/api/team/bus/messages', { workspace: 'page', key: 'note', envelope });
  expect((await publish(writer, 'one')).body).toEqual({ cursor: 1 });
  const read = async (fields: string): Promise<any> => (await reader.call('GET', `/api/team/bus/messages?workspace=page&${fields}`)).body;
  expect(await read('since=0')).toMatchObject({ upTo: 1, messages: [{ cursor: 1, from: 'ann@example.org', key: 'note', envelope: 'one' }] });
  const waiting = read('since=1&waitSeconds=20');
  expect((await publish(reader, { two: 2 })).status).toBe(200);
  expect(await waiting).toMatchObject({ upTo: 2, messages: [{ cursor: 2, from: 'bob@example.org', envelope: { two: 2 } }] });
  expect(await read('since=2')).toEqual({ upTo: 2, messages: [] });
  const { workspaces, mayPublish } = (await reader.call('GET', '/api/team/bus/workspaces')).body;
  expect([workspaces.find(({ workspace }: any) => workspace === 'page'), mayPublish]).toMatchObject([{ cursor: 2, keys: ['note'] }, true]);
  expect(await publish(reader, 'x'.repeat(70_000))).toMatchObject({ status: 422, body: { error: { code: 'refused' } } });
  expect(await reader.call('GET', '/api/team/bus/messages?workspace=page&since=99')).toMatchObject({ status: 503, body: { error: { code: 'unread' } } });
});
