// Tests every listed route once on its success path over HTTP, and checks each reply against the OpenAPI document.
import { cp, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { whyNot } from '../builtins/effect-preview/overlay-tests.ts';
import { openApiCheck, readOperations, type ApiCheck } from '../../helpers/api-check.ts';
import { type EventStream, openEventStream } from '../../helpers/event-stream.ts';
import { type Harness, startHarness } from '../../helpers/harness.ts';
import { type ScriptedModel, startScriptedModel } from '../../helpers/scripted-model.ts';
import { useFolderForAll } from '../../helpers/use-opened.ts';
import { codexId, plantClaudeCode, plantCodex } from '../../helpers/foreign-homes.ts';
import { sampleView } from '../../helpers/sample-view.mjs';
import { startScriptedAudio, type ScriptedAudio } from '../../helpers/scripted-audio.ts';
import { babbleOf, dataUrlOf, toneOf } from '../../helpers/spoken.ts';
import '../../helpers/plain-resolution.ts';
import { createSigner } from '../plugins/licensing/license-kit.ts';

const signer = createSigner();
const panelFolder = join(import.meta.dirname, '../../../examples/live-panel');
let harness: Harness;
let model: ScriptedModel;
let audio: ScriptedAudio;
let api: ApiCheck;
const pluginFolder = useFolderForAll('endpoints-plugins-');
beforeAll(async () => {
  await cp(panelFolder, pluginFolder, { recursive: true });
  await cp(join(import.meta.dirname, '../../helpers/sample-view.mjs'), join(pluginFolder, 'sample-view.mjs'));
  model = await startScriptedModel();
  audio = await startScriptedAudio(({ path }) =>
    path.endsWith('/speech') ? { body: toneOf(1, 0.2), headers: { 'content-type': 'audio/wav' } } : { body: { text: 'hello there' } },
  );
  const voice = { AGENT_TTS_ENABLED: '1', AGENT_AUDIO_BASE_URL: audio.url };
  harness = await startHarness({
    environment: {
      ...model.environment,
      ...voice,
      AGENT_LICENSE_PUBLIC_KEY: signer.pem,
      AGENT_PLUGIN_DIR: pluginFolder,
      AGENT_LOCAL_MODEL_PORTS: new URL(model.url).port,
    },
  });
  await writeFile(join(harness.workspace, 'a.txt'), 'one\n');
  api = await openApiCheck(harness);
});
afterAll(async () => {
  await harness.close();
  await model.close();
  await audio.close();
});

const ok = async (method: string, path: string, body?: unknown): Promise<any> => {
  const reply = await api.call(method, path, body);
  expect(reply.status, `${method} ${path} ${JSON.stringify(reply.body)}`).toBeLessThan(300);
  return reply.body;
};

async function sendAndFollow(text: string): Promise<{ stream: EventStream; turnId: string; chatId: string }> {
  const stream = await openEventStream(harness);
  const { turnId, chatId } = await ok('POST', '/api/message', { text });
  return { stream, turnId, chatId };
}
const ended = (stream: EventStream, turnId: string) => stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId);

test('initial client requests: configuration, status and documents', async () => {
  const config = await ok('GET', '/api/config');
  expect(Object.keys(config).sort()).toEqual(
    [
      ...['activeChat', 'approvalTimeoutMs', 'demoModel', 'dictationAudioCue', 'dictationWebSpeech', 'heartbeatEnabled', 'heartbeatUiStrip'],
      ...['personaBootstrapAllowSkip', 'personaBootstrapEnabled', 'personaBootstrapPending', 'personaDisplayLabel', 'personaUiTheme', 'plugins'],
      ...['productName', 'rights', 'transcribeEnabled', 'transcribeMaxBytes', 'ttsEnabled', 'ttsVoice', 'uiVerbosity', 'version', 'webAuthToken'],
    ].sort(),
  );
  expect(config).toMatchObject({ webAuthToken: harness.token, demoModel: false, uiVerbosity: 'normal', approvalTimeoutMs: 0, personaUiTheme: null });
  expect(await ok('GET', '/api/status')).toEqual({ busy: false, remote: { codes: 0, guests: 0, asking: 0 }, clients: 0, activeChatId: null, chats: [] });
  const document = await ok('GET', '/api/openapi.json');
  expect(document.openapi).toBe('3.1.0');
  for (const [path, methods] of Object.entries<any>(document.paths))
    for (const operation of Object.values<any>(methods)) expect(operation.responses[operation.responses['200'] ? '200' : '201'] ?? operation.responses['202'], path).toHaveProperty('content'); // prettier-ignore
  // Every schema must compile in a validator.
  for (const { schemas } of readOperations(document)) for (const validate of schemas.values()) validate?.(undefined);
  const page = await ok('GET', '/');
  expect(page).toContain(`<meta name="app-web-auth" content="${harness.token}"`);
  await ok('GET', /\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? 'no script');
  expect(await ok('GET', '/manifest.webmanifest')).toMatchObject({ icons: expect.any(Array) });
});

test('plugin panels and their scripts', async () => {
  expect(await ok('GET', '/api/ui/messages?language=de')).toEqual({ languages: [], messages: {} });
  const { panels } = await ok('GET', '/api/ui/panels');
  expect(panels).toMatchObject([
    { id: 'browser', slot: 'panel', plugin: 'browser' },
    { id: 'live', slot: 'panel', plugin: 'live-panel' },
  ]);
  for (const { url } of panels) expect(await ok('GET', url)).toContain('export function mount');
});

test('a plugin view and its actions', async () => {
  const { views } = await ok('GET', '/api/views');
  expect(views).toContainEqual(expect.objectContaining({ name: 'sample', plugin: 'sample-view' }));
  expect(await ok('GET', '/api/views/sample')).toEqual({ ...sampleView(), name: 'sample' });
  expect(await ok('POST', '/api/views/sample/actions/reset', {})).toMatchObject({ message: expect.stringContaining('reset'), view: { name: 'sample' } });
});

test('a device from pairing to removal', async () => {
  const { code } = await ok('POST', '/api/pair/begin', {});
  expect(await ok('PUT', '/api/pair/network', { isAllowed: false })).toEqual({ urls: [] });
  const { device, token } = await ok('POST', '/api/pair', { code, deviceName: 'Phone' });
  expect((await harness.call('GET', '/api/status', undefined, { authorization: `Bearer ${token}` })).status).toBe(200);
  expect(await ok('PATCH', `/api/pair/devices/${device.id}`, { role: 'view' })).toMatchObject({ device: { id: device.id, role: 'view' } });
  expect((await ok('GET', '/api/pair/devices')).devices).toMatchObject([{ id: device.id, name: 'Phone', role: 'view' }]);
  expect(await ok('DELETE', `/api/pair/devices/${device.id}`)).toEqual({ ok: true });
});

test('settings, plugins, tools, commands and usage', async () => {
  const { fields, tabs, provider } = await ok('GET', '/api/settings');
  expect(tabs.map((tab: any) => tab.id)).toEqual(['models_api', 'session_ui', 'memory_vault', 'web_research', 'safety', 'harness', 'advanced']);
  expect(fields.length).toBeGreaterThan(15);
  expect(provider).toEqual({ model: 'scripted', baseURL: model.url, apiKeyConfigured: true, inferenceMode: 'auto', route: 'chat-completions' });
  expect(await ok('PUT', '/api/settings', { harness: { env: { AGENT_MAX_ROUNDS: '7' } } })).toEqual({
    ok: true,
    applied: ['AGENT_MAX_ROUNDS'],
    restartNeeded: [],
  });
  const { plugins } = await ok('GET', '/api/plugins');
  expect(plugins.filter(({ state, entitlement }: any) => state !== (entitlement === undefined ? 'active' : 'locked'))).toEqual([]);
  expect(await ok('PUT', '/api/plugins/rule-recall', { disabled: true })).toMatchObject({ ok: true, plugin: { name: 'rule-recall', state: 'disabled' } });
  expect(await ok('PUT', '/api/plugins/live-panel/trust', { isolation: 'process', asks: [] })).toMatchObject({ ok: true, plugin: { chosen: 'process' } });
  expect(await ok('PUT', '/api/plugins/live-panel/trust', { isolation: null })).toMatchObject({ ok: true, plugin: { name: 'live-panel', state: 'active' } });
  const reloaded = await ok('POST', '/api/plugins/reload', {});
  expect(reloaded.ok).toBe(true);
  expect(reloaded.plugins.find((plugin: any) => plugin.name === 'live-panel')).toMatchObject({ origin: 'user', state: 'active' });
  expect(await ok('GET', '/api/plugins/installed')).toEqual({ plugins: [] });
  const audited = (await ok('GET', '/api/plugins/audit')).plugins;
  expect(audited.filter(({ name }: any) => name !== 'sample-view')).toMatchObject([{ name: 'live-panel', origin: 'own' }]);
  const elsewhere = join(pluginFolder, '.elsewhere');
  await mkdir(elsewhere);
  await writeFile(join(elsewhere, 'index.mjs'), "export const manifest = { name: 'from-elsewhere' }; export function register() {}");
  const offer = await ok('POST', '/api/plugins/offers', { source: elsewhere });
  expect(offer).toMatchObject({ name: 'from-elsewhere', isolation: 'child', files: 1, grown: [] });
  expect(await api.call('POST', `/api/plugins/offers/${offer.id}`, { digest: '0'.repeat(64) })).toMatchObject({
    status: 404,
    body: { error: { code: 'offer_gone' } },
  });
  expect(await ok('POST', `/api/plugins/offers/${offer.id}`, { digest: offer.digest })).toEqual({ ok: true, version: '0.0.0' });
  expect((await ok('GET', '/api/plugins')).plugins.find((plugin: any) => plugin.name === 'from-elsewhere')).toMatchObject({ origin: 'user', state: 'active' });
  expect((await ok('DELETE', '/api/plugins/from-elsewhere')).gone).toHaveLength(2);
  expect(await api.call('DELETE', '/api/plugins/from-elsewhere')).toMatchObject({ status: 404, body: { error: { code: 'not_installed' } } });
  expect((await ok('GET', '/api/tools')).tools.map((tool: any) => tool.name)).toContain('read_file');
  expect((await ok('GET', '/api/commands')).commands.map((command: any) => command.name)).toContain('undo');
  expect((await ok('POST', '/api/commands', { name: 'help' })).text).toContain('/undo');
  expect(await ok('GET', '/api/session/retries?chatId=all')).toEqual({ retries: [] });
  expect(await api.call('POST', '/api/session/retry', {})).toMatchObject({ status: 409, body: { error: { code: 'not_waiting' } } });
  expect(await ok('PUT', '/api/prompts/tidy', { text: 'Tidy $1.', isNew: true })).toEqual({ ok: true });
  expect((await ok('GET', '/api/prompts')).templates).toMatchObject([{ name: 'tidy', origin: 'own', command: 'tidy' }]);
  expect(await ok('DELETE', '/api/prompts/tidy')).toEqual({ ok: true });
  expect(await ok('GET', '/api/usage')).toMatchObject({ rows: [], totals: { calls: 0, cost: 0 } });
});

test('models, and setting and forgetting a typed key', async () => {
  model.listModels((key) =>
    ['test-key', 'typed-key'].includes(key) ? { body: { data: [{ id: 'scripted' }] } } : { status: 401, body: { error: { message: 'no' } } },
  );
  expect(await ok('GET', '/api/models')).toEqual({ models: [{ id: 'scripted' }], current: 'scripted' });
  expect(await ok('POST', '/api/provider/key', { key: 'typed-key' })).toEqual({
    ok: true,
    models: [{ id: 'scripted' }],
    keepLine: expect.stringMatching(/^AGENT_API_KEY=<key>$/m),
  });
  const known = await ok('GET', '/api/provider');
  expect(known).toMatchObject({ route: 'chat-completions', model: 'scripted', baseURL: model.url, apiKeyConfigured: true });
  expect(known.providers.map(({ id }: any) => id)).toEqual(['openrouter', 'openai', 'anthropic', 'xai']);
  model.listModels(() => ({ body: { data: [{ id: 'scripted' }] } }));
  expect(await ok('GET', '/api/provider/local')).toEqual({ endpoints: [{ title: expect.any(String), baseURL: model.url, models: [{ id: 'scripted' }] }] });
  model.push({ text: '1, 2' });
  expect(await ok('POST', '/api/provider/test', {})).toMatchObject({ ok: true, reachable: true, baseURL: model.url, model: 'scripted', tools: 'not_called' });
  expect(await ok('DELETE', '/api/provider/key')).toEqual({ ok: true });
});

test('a chat from creation to deletion', async () => {
  const made = await ok('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: harness.workspace, title: 'First' });
  expect(Object.keys(made).sort()).toEqual(
    [
      ...['archived', 'busy', 'chatId', 'createdAt', 'mode', 'pinned', 'tags', 'title', 'turns', 'updatedAt'],
      ...['workspaceFingerprint', 'workspaceMode', 'workspaceRoot'],
    ].sort(),
  );
  const { chatId } = made;
  expect(await ok('GET', `/api/chats/${chatId}`)).toEqual(made);
  expect(await ok('GET', `/api/chats/${chatId}/browser`)).toMatchObject({ state: 'closed', tabs: [] });
  const list = await ok('GET', '/api/chats');
  expect(list).toMatchObject({ orphanIds: [], activeChatId: chatId });
  expect(list.chats[0]).toEqual(made);
  expect(await ok('PATCH', `/api/chats/${chatId}`, { title: 'Second' })).toMatchObject({ chatId, title: 'Second' });
  expect(await ok('POST', `/api/chats/${chatId}/activate`, {})).toMatchObject({ chatId });
  expect(await ok('GET', `/api/chats/${chatId}/transcript`)).toEqual({ entries: [], upTo: expect.any(Number) });
  expect(await ok('GET', '/api/chats/search?q=nothing')).toEqual({ hits: [] });
  expect(await ok('GET', '/api/workspace/current')).toMatchObject({ chatId, workspaceRoot: harness.workspace });
  expect(await ok('GET', '/api/workspace/paths?query=nothing-of-this-name')).toEqual({ paths: [], isCut: false });
  expect((await ok('GET', '/api/workspace/folder')).entries).toContainEqual({ name: 'a.txt', kind: 'file', bytes: expect.any(Number) });
  expect(await ok('GET', '/api/workspace/file?path=a.txt')).toEqual(expect.any(String));
  const preview = await ok('POST', '/api/workspace/preview', { path: 'a.txt' });
  expect(await ok('GET', preview.address)).toEqual(expect.any(String));
  const fork = await ok('POST', `/api/chats/${chatId}/fork`, {});
  expect(fork).toMatchObject({ title: 'Second (fork)', workspaceMode: 'reuse', turns: 0 });
  expect(await ok('DELETE', `/api/chats/${fork.chatId}`)).toEqual({ ok: true, newActiveId: chatId });
  expect(await ok('GET', '/api/chats/trash')).toMatchObject({ chats: [{ chatId: fork.chatId, title: 'Second (fork)', turns: 0, daysLeft: 30 }] });
  expect(await ok('POST', `/api/chats/trash/${fork.chatId}/restore`, {})).toMatchObject({ chatId: fork.chatId });
  await ok('DELETE', `/api/chats/${fork.chatId}`);
  expect(await ok('DELETE', `/api/chats/trash/${fork.chatId}`)).toEqual({ ok: true });
});

test('a turn with an approval and a question, then undo, reset and abort', async () => {
  model.push(
    { toolCalls: [{ name: 'run_command', args: { command: 'touch made.txt' } }] },
    { toolCalls: [{ name: 'ask_user', args: { prompt: 'Which?', options: ['left', 'right'] } }] },
    { toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'two\n', mode: 'overwrite' } }] },
    { text: 'Done.' },
  );
  const { stream, turnId, chatId } = await sendAndFollow('work');
  api.note('GET', '/api/stream');
  const { approvalId, rehearsal } = await stream.until('tool_approval');
  const shown = rehearsal.state === 'running' ? (await stream.until('approval_rehearsed'))['rehearsal'] : rehearsal;
  expect(await ok('GET', '/api/pending')).toMatchObject({ approvals: [{ approvalId, name: 'run_command' }], questions: [] });
  const approved = { approvalId, decision: 'approve', remember: 'workspace', rehearsal: shown.id };
  expect(await ok('POST', '/api/approve', approved)).toEqual({ ok: true });
  const { rules } = await ok('GET', '/api/approval-rules');
  expect(rules).toMatchObject([{ scope: 'workspace', words: 'always touch made.txt in this folder', answered: 0 }]);
  expect(await ok('DELETE', `/api/approval-rules/${rules[0].id}`)).toEqual({ ok: true });
  const { askId } = await stream.until('ask_user');
  expect(await ok('GET', '/api/status')).toMatchObject({ busy: true, clients: 1, chats: [{ chatId, busy: true, turnId, waitingFor: 'answer' }] });
  expect(await ok('POST', '/api/answer', { askId, answer: 'left' })).toEqual({ ok: true });
  expect(await ended(stream, turnId)).toMatchObject({ reason: 'done', rounds: 4, tools: 3 });
  stream.close();
  // A previewed command is applied as shown, so its changes are recorded. Previews need a sandbox.
  const recorded = whyNot === undefined ? ['a.txt', 'made.txt'] : ['a.txt'];
  const changed = (await ok('GET', '/api/changes')).files;
  for (const path of recorded) expect(changed).toContainEqual(expect.objectContaining({ path, turnId, undone: false, conflict: false }));
  expect((await ok('GET', '/api/context')).parts.conversation).toBeGreaterThan(0);
  const undone = await ok('POST', '/api/undo', {});
  expect({ ...undone, restored: undone.restored.sort() }).toMatchObject({ ok: true, turnId, restored: recorded, conflicts: [] });
  expect(await ok('POST', '/api/redo', {})).toMatchObject({ ok: true, turnId });
  expect(await ok('POST', '/api/support', { turnId })).toMatchObject({ turnId, isEqual: true, parts: expect.any(Array) });
  expect(await ok('POST', '/api/undo', {})).toMatchObject({ ok: true, turnId, conflicts: [] });
  expect(await ok('GET', `/api/why?turn=${turnId}`)).toMatchObject({ says: expect.arrayContaining(['You sent it.']), sources: [] });
  expect((await api.call('GET', '/api/why?call=call_none')).body.error.code).toBe('not_found');
  expect(await ok('POST', '/api/session/reset', { mode: 'soft' })).toEqual({ ok: true, mode: 'soft', personaBootstrapPending: true });

  model.push({ text: 'x', stallAfter: 1 });
  const second = await sendAndFollow('wait');
  await second.stream.until('text');
  const waiting = await ok('POST', '/api/message', { text: 'later', whenBusy: 'queue' });
  expect(await ok('POST', '/api/message/take-back', { turnId: waiting.turnId })).toEqual({ ok: true });
  expect((await api.call('POST', '/api/message/take-back', { turnId: waiting.turnId })).body.error.code).toBe('not_queued');
  expect(await ok('POST', '/api/session/abort', {})).toEqual({ ok: true, turnId: second.turnId, stopped: ['model'], unqueued: [] });
  expect(await ended(second.stream, second.turnId)).toMatchObject({ reason: 'aborted' });
  second.stream.close();
});

test('an artifact of a long output', async () => {
  await writeFile(join(harness.workspace, 'long.txt'), 'line of text\n'.repeat(30_000));
  model.push({ toolCalls: [{ name: 'run_command', args: { command: 'cat long.txt' } }] }, { text: 'Long.' });
  const { stream, turnId } = await sendAndFollow('show it');
  const { artifactId, truncated } = await stream.until('tool_result');
  expect(truncated).toBe(true);
  expect(await ok('GET', `/api/artifacts/${artifactId}`)).toContain('line of text');
  await ended(stream, turnId);
  stream.close();
});

test('an attachment of a message', async () => {
  model.push({ text: 'Read.' });
  const stream = await openEventStream(harness);
  const { turnId, chatId } = await ok('POST', '/api/message', {
    text: 'read it',
    attachments: [{ name: 'a.txt', dataUrl: 'data:text/plain;base64,aGVsbG8=' }],
  });
  await ended(stream, turnId);
  stream.close();
  const [attachmentId] = await readdir(join(harness.home, 'chats', chatId, 'attachments'));
  expect(await ok('GET', `/api/attachments/${attachmentId}`)).toBeDefined();
});

test('the account from sign-in to sign-out', async () => {
  expect(await ok('GET', '/api/hub/account')).toMatchObject({ connected: false, account: null, tier: 'community', licensed: false });
  const { state } = await ok('GET', '/api/hub/connect/begin');
  expect(await ok('POST', '/api/hub/auth/callback', { token: signer.token(), state })).toEqual({ ok: true, tier: 'pro' });
  const again = await ok('GET', '/api/hub/connect/begin');
  expect(await ok('GET', `/api/hub/auth/callback?token=${signer.token()}&state=${again.state}`)).toContain('signed in');
  // As a browser returning from the hosted site.
  const last = await ok('GET', '/api/hub/connect/begin');
  const address = `${harness.url}/api/hub/auth/callback?token=${signer.token()}&state=${last.state}`;
  const { status, headers } = await fetch(address, { headers: { 'sec-fetch-site': 'cross-site' } });
  expect([status, headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([200, 'no-store', 'no-referrer']);
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await ok('GET', '/api/hub/account')).toMatchObject({ connected: true, account: { email: 'ada@example.org', source: 'browser' }, status: 'active' });
  expect(await ok('GET', '/api/hub/inference-status')).toMatchObject({ entitled: true, remaining: null });
  expect(await ok('POST', '/api/hub/reconnect', {})).toEqual({ ok: true });
  expect(await ok('POST', '/api/hub/logout', {})).toMatchObject({ ok: true, revoked: false, message: expect.stringContaining('no control plane is set') });
});

test('notes from creation to deletion', async () => {
  const { note } = await ok('POST', '/api/memory', { key: 'editor', value: 'vim' });
  const place = { id: note.id, scope: note.scope };
  expect((await ok('GET', '/api/memory?q=editor')).notes).toMatchObject([{ key: 'editor', value: 'vim', source: { kind: 'user' } }]);
  const { note: changed } = await ok('PUT', '/api/memory', { ...place, value: 'helix', revision: note.revision });
  expect(changed).toMatchObject({ value: 'helix', revision: note.revision + 1 });
  expect((await ok('POST', '/api/memory/forget', place)).note.deletedAt).toBeDefined();
  expect((await ok('GET', '/api/memory?show=deleted')).total).toBe(1);
  expect((await ok('POST', '/api/memory/restore', place)).note.deletedAt).toBeUndefined();
  const { chatId, workspaceRoot } = await ok('GET', '/api/workspace/current');
  const web = { type: 'fact', key: 'rumour', value: 'so they say', source: { kind: 'web', ref: 'https://example.org' } } as const;
  const { id, scope } = await harness.kernel.resolve('notes').remember({ chatId, workspaceRoot }, web);
  expect((await ok('GET', '/api/memory?show=pending')).notes).toMatchObject([{ key: 'rumour' }]);
  expect((await ok('POST', '/api/memory/accept', { id, scope, isAccepted: true })).note.isPending).toBeFalsy();
  expect((await ok('POST', '/api/memory/pin', { id, scope, isPinned: true })).note).toMatchObject({ isPinned: true });
  const gossip = await harness.kernel.resolve('notes').remember({ chatId, workspaceRoot }, { ...web, key: 'gossip' });
  await ok('POST', '/api/memory/accept', { id: gossip.id, scope: gossip.scope, isAccepted: false, never: true });
  const { unwanted } = await ok('GET', '/api/memory/unwanted');
  expect(unwanted).toMatchObject([{ value: 'so they say' }]);
  expect(await ok('POST', '/api/memory/unwanted/allow', { id: unwanted[0].id })).toEqual({ ok: true });
  await ok('POST', '/api/memory/forget-chat', {});
});

test('transcription and speech', async () => {
  expect(await ok('GET', '/api/audio/engines')).toMatchObject({ transcription: { inUse: 'provider' }, speech: { inUse: 'provider' } });
  const { attachmentId } = await ok('POST', '/api/audio/upload', { dataUrl: dataUrlOf(babbleOf(1), 'audio/wav') });
  expect(await ok('POST', '/api/transcribe', { attachmentId })).toMatchObject({ text: 'hello there', engine: 'provider' });
  const { clips } = await ok('POST', '/api/tts', { text: 'Hello there.' });
  expect(clips).toMatchObject([{ text: 'Hello there.', durationSec: 1, cached: false }]);
  await ok('GET', clips[0].url);
  const { chatId } = await ok('GET', '/api/workspace/current');
  const { epoch } = await ok('PUT', '/api/tts/speaker', { chatId, speakerId: 'window-1', on: true });
  expect((await ok('POST', '/api/tts/heard', { chatId, epoch, seq: 0, heardChars: 0, reason: 'stop' })).epoch).toBeGreaterThan(epoch);
});

test('background activity: heartbeat and dreams', async () => {
  expect(await ok('GET', '/api/heartbeat')).toMatchObject({ isOn: false, state: 'off' });
  expect(await ok('GET', '/api/heartbeat/runs')).toMatchObject({ runs: [] });
  expect(await ok('PUT', '/api/heartbeat/mute', { isMuted: true })).toEqual({ isMuted: true });
  const { chatId } = await ok('GET', '/api/workspace/current');
  expect(await ok('PUT', '/api/heartbeat/less', { chatId, isLess: true })).toEqual({ steps: 1 });
  model.push({ text: JSON.stringify({ summary: 'Nothing new.', upserts: [], deletes: [] }) });
  expect(await ok('POST', '/api/dreams', {})).toBeDefined();
  expect((await ok('GET', '/api/dreams')).runs.length).toBeGreaterThanOrEqual(0);
});

test('workspace trust, the plan and connections', async () => {
  await writeFile(join(harness.workspace, 'AGENTS.md'), 'Be brief.\n');
  const { subjects } = await ok('GET', '/api/workspace/trust');
  const [{ name, digest, isTrusted }] = subjects;
  expect([name, isTrusted]).toEqual(['instructions', false]);
  expect((await ok('POST', '/api/workspace/trust', { name, digest, isTrusted: true })).subjects[0].isTrusted).toBe(true);
  expect(await ok('GET', '/api/plan')).toEqual({ items: [] });
  expect(await ok('GET', '/api/skills')).toEqual({ skills: [] });

  const spec = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://things.example' }],
    paths: { '/things': { get: { operationId: 'listThings', responses: {} } } },
  };
  expect(await ok('POST', '/api/integrations/openapi', { name: 'things', spec })).toMatchObject({ ok: true, toolCount: 1 });
  const memoryServer = join(import.meta.dirname, '../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js');
  const connected = await ok('POST', '/api/integrations/mcp', {
    name: 'notes',
    command: process.execPath,
    args: [memoryServer],
    env: { MEMORY_FILE_PATH: join(harness.home, 'graph.json') },
  });
  expect(connected.toolCount).toBeGreaterThan(5);
  expect(await ok('POST', '/api/integrations/mcp/notes/test', {})).toEqual(connected);
  const { chatId } = await ok('POST', '/api/chats', { workspaceMode: 'scratch' });
  const brought = await ok('PUT', `/api/chats/${chatId}/mcp`, { servers: [{ name: 'editor', command: process.execPath, args: [memoryServer] }] });
  expect(brought.servers).toEqual([{ name: 'editor', toolCount: connected.toolCount }]);
  expect(await ok('PUT', `/api/chats/${chatId}/mcp`, { servers: [] })).toEqual({ servers: [] });
  expect(await ok('PUT', `/api/chats/${chatId}/folders`, { folders: [harness.home] })).toEqual({ ok: true });
  const { state } = await ok('GET', '/api/integrations/github/begin');
  const bundle = { accountId: 'ada', accessToken: 'token' };
  expect(await ok('POST', '/api/integrations/oauth/handoff', { state, provider: 'github', bundle })).toEqual({ ok: true, provider: 'github' });
  const { providers, connections } = await ok('GET', '/api/integrations');
  expect(connections.map((one: any) => one.name).sort()).toEqual(['notes', 'things']);
  expect(providers.find((one: any) => one.id === 'github').status).toBe('connected');
  expect(await ok('DELETE', '/api/integrations/github')).toEqual({ ok: true, revoked: false });
  expect(await ok('DELETE', '/api/integrations/openapi/things')).toEqual({ ok: true });
  expect(await ok('DELETE', '/api/integrations/mcp/notes')).toEqual({ ok: true });
});

test('a persona', async () => {
  const stream = await openEventStream(harness, { chatId: 'all' });
  expect(await ok('POST', '/api/persona/bootstrap', { input: 'Dry and brief.' })).toEqual({ ok: true });
  await stream.until((event) => event.kind === 'persona_progress' && event['stage'] === 'done');
  stream.close();
  const { revision, bootstrap } = await ok('GET', '/api/persona');
  expect([revision, bootstrap.state]).toEqual([1, 'done']);
  await ok('PUT', '/api/persona/slices/voice', { text: 'Like rain.', base: 1 });
  expect((await ok('GET', '/api/persona/slices/voice/history')).versions).toHaveLength(2);
  await ok('POST', '/api/persona/slices/voice/revert', { version: 1 });
  await ok('POST', '/api/persona/revert', { version: 2 });
  expect((await ok('GET', '/api/persona/history')).versions).toHaveLength(4);
  expect(await ok('PUT', '/api/persona/chat', { off: true })).toMatchObject({ off: true });
});

test('chat export and import, and local folders', async () => {
  const { chats } = await ok('GET', '/api/chats');
  const file = await ok('GET', `/api/chats/${chats[0].chatId}/export?format=json`);
  const said = { ...file, entries: [{ kind: 'user', at: '2026-01-02T03:04:05.000Z', text: 'Hello' }] };
  expect(await ok('POST', '/api/chats/import', said)).toMatchObject({ isNew: true, turns: 1 });
  expect((await ok('GET', '/api/folders')).folders).toBeInstanceOf(Array);
});

test('sessions of another agent are listed and imported, and bundles are listed', async () => {
  plantCodex(harness.home, harness.workspace);
  const { sessions, servers } = await ok('GET', '/api/import/codex');
  expect([sessions.length, servers.length]).toEqual([2, 1]);
  const taken = await ok('POST', `/api/import/codex/sessions/${codexId}`, {});
  expect(taken).toMatchObject({ isNew: true, turns: 2 });
  expect(await ok('POST', `/api/import/codex/sessions/${codexId}`, {})).toMatchObject({ isNew: false, chatId: taken.chatId });
  expect((await ok('POST', '/api/import/codex/rules', {})).taken).toHaveLength(1);
  plantClaudeCode(harness.home, harness.workspace);
  expect(await ok('POST', '/api/import/claude-code/servers/lamps', {})).toEqual({ name: 'lamps', toolCount: 1 });
  expect(await api.call('DELETE', '/api/integrations/mcp/lamps')).toMatchObject({ status: 200 });
  expect(await api.call('POST', '/api/import/codex/servers/none', {})).toMatchObject({ status: 404 });
  expect(await api.call('POST', '/api/import/codex/sessions/none', {})).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect(await ok('GET', '/api/bundles')).toEqual({ bundles: [] });
});

test('remote sessions on a server without a desktop window', async () => {
  expect(await ok('GET', '/api/remote')).toMatchObject({ available: false, reason: expect.stringContaining('no desktop window'), codes: [], guests: [] });
  expect(await ok('DELETE', '/api/remote')).toEqual({ ended: 0 });
});

test('token rotation', async () => {
  const { token } = await ok('POST', '/api/token/rotate', {});
  expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect((await harness.call('GET', '/api/status')).status).toBe(401);
});

test('every route was requested', () => {
  // Covered by their own tests: browser tab images and the sign-in callback of an MCP server, and routes that need a control plane,
  // a persona theme, externally changed persona files, a nudge, a dream with changes, a desktop window,
  // remote viewers, a push service, or a turn waiting for a provider.
  const elsewhere =
    /^\w+ \/(remote\/|api\/remote)|^\w+ \/api\/(desktop\/window|sync\/|hub\/(device|connect\/outcome)|session\/retry$|persona\/(theme|slices\/\{name\}\/outside)|push$|push\/|heartbeat\/nudges\/|dreams\/undo)/;
  expect(api.missed().filter((route) => !elsewhere.test(route))).toEqual([
    'GET /api/chats/{id}/browser/{tabId}/picture',
    'GET /api/integrations/mcp/{name}/callback',
  ]);
});
