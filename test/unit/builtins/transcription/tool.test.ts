// Tests `transcribe_audio` for recordings of the chat, workspace files and URLs, each under the rules of the matching read tool.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { runTool } from '../../../helpers/run-tool.ts';
import { startScriptedAudio, type AudioAnswer, type ScriptedAudio } from '../../../helpers/scripted-audio.ts';
import { babbleOf, dataUrlOf, toneOf } from '../../../helpers/spoken.ts';
import { startLocalServer } from '../../../helpers/local-server.ts';

let harness: Harness | undefined;
let audio: ScriptedAudio | undefined;

const builtins = ['audio-engines', 'audio-hosted', 'transcription', 'files', 'web', 'model-demo', 'model-chat-completions'];
async function open(
  environment: Record<string, string> = {},
  answer: () => AudioAnswer = () => ({ body: { text: 'heard', duration: 2, usage: { cost: 0.01 } } }),
): Promise<Harness> {
  audio = await startScriptedAudio(answer);
  return (harness = await startHarness({ builtins, environment: { ...audio.environment, ...environment } }));
}
const run = (args: object): ReturnType<typeof runTool> => runTool((harness as Harness).kernel, 'transcribe_audio', args);

test('transcribes a recording of the chat and a workspace file as untrusted text', async () => {
  const { call, workspace } = await open();
  const { body } = await call('POST', '/api/audio/upload', { dataUrl: dataUrlOf(babbleOf(1)) });
  const outcome = await run({ attachmentId: body.attachmentId });
  expect(outcome).toMatchObject({ ok: true, isUntrusted: true });
  expect(outcome.ok && outcome.output).toBe(`Recording: ${body.attachmentId}\nLength: 2.0 s\nCost: 0.01 USD\n\nheard`);
  await writeFile(join(workspace, 'note.wav'), babbleOf(2));
  expect(await run({ path: 'note.wav', language: 'de', prompt: 'Ada' })).toMatchObject({ ok: true });
  expect(audio?.asked.at(-1)).toMatchObject({ fields: { language: 'de', prompt: 'Ada' } });
  expect(audio?.asked.at(-1)?.sound.equals(babbleOf(2))).toBe(true);
});

test('reuses the transcript of identical audio', async () => {
  const { workspace } = await open();
  await writeFile(join(workspace, 'note.wav'), babbleOf(2));
  await writeFile(join(workspace, 'copy.wav'), babbleOf(2));
  await writeFile(join(workspace, 'other.wav'), toneOf(2, 0.3));
  const first = await run({ path: 'note.wav' });
  expect(await run({ path: 'note.wav' })).toEqual(first);
  expect(await run({ path: 'copy.wav' })).toEqual(first);
  expect(audio?.asked.length).toBe(1);
  const other = await run({ path: 'other.wav' });
  expect(other.ok && other.output).not.toBe(first.ok && first.output);
});

test('sends workspace file names as vocabulary when enabled, unless a prompt is given', async () => {
  const { workspace } = await open({ AGENT_TRANSCRIBE_VOCABULARY: '1' });
  await mkdir(join(workspace, 'Quokka'));
  for (const name of ['Wombat.ts', '.hidden', 'index.ts', 'Quokka/zyzzyva.md', '1234567.txt']) await writeFile(join(workspace, name), '');
  await writeFile(join(workspace, 'note.wav'), babbleOf(2));
  await run({ path: 'note.wav' });
  expect(audio?.asked.at(-1)?.fields['prompt']).toBe('Quokka, Wombat, note, zyzzyva');
  await run({ path: 'note.wav', prompt: 'Ada' });
  expect(audio?.asked.at(-1)?.fields['prompt']).toBe('Ada');
});

test('rejects files outside the workspace, without audio or over the size limit before sending', async () => {
  const { workspace, home } = await open({ AGENT_TRANSCRIBE_MAX_BYTES: '50000' });
  await writeFile(join(workspace, 'text.wav'), 'hello hello hello');
  await writeFile(join(workspace, 'large.wav'), babbleOf(3));
  await symlink(join(home, '.env'), join(workspace, 'link.wav'));
  for (const [args, why] of [
    [{}, 'exactly one'],
    [{ path: 'a.wav', url: 'http://x.example' }, 'exactly one'],
    [{ path: 'text.wav' }, 'not a recording'],
    [{ path: 'large.wav' }, '50000 bytes'],
    [{ path: '/etc/passwd' }, 'outside the workspace'],
    [{ path: 'none.wav' }, 'none.wav'],
    [{ attachmentId: 'att_00000000000000000000000000' }, 'no recording'],
  ] as const) {
    const outcome = await run(args);
    expect([args, outcome.ok, outcome.ok ? '' : outcome.error]).toEqual([args, false, expect.stringContaining(why)]);
  }
  expect((await run({ path: 'link.wav' })).ok).toBe(false);
  expect(audio?.asked).toEqual([]);
});

test('fetches a URL under the rules of web_fetch', async () => {
  const sound = babbleOf(1);
  const { url } = await startLocalServer((request, response) => {
    if (request.url === '/moved') response.writeHead(302, { location: '/note.wav' }).end();
    else if (request.url === '/note.wav') response.writeHead(200, { 'content-type': 'audio/wav' }).end(sound);
    else response.writeHead(404).end();
  });
  const { call } = await open();
  const refused = await run({ url: `${url}/note.wav` });
  expect(refused.ok || refused.error).toContain('is not a public address');
  await call('PUT', '/api/settings', { harness: { env: { AGENT_WEB_FETCH_ALLOWED_HOSTS: '127.0.0.1' } } });
  expect(await run({ url: `${url}/moved` })).toMatchObject({ ok: true, isUntrusted: true });
  expect(audio?.asked.at(-1)?.sound.equals(sound)).toBe(true);
  const missing = await run({ url: `${url}/none` });
  expect(missing.ok || missing.error).toContain('status 404');
});

test('stores the recording when the provider fails and returns how to retry', async () => {
  let isBroken = true;
  const { workspace } = await open({ AGENT_TRANSIENT_5XX_MAX_RETRIES: '0' }, () => (isBroken ? { status: 503 } : { body: { text: 'at last' } }));
  await writeFile(join(workspace, 'note.wav'), babbleOf(1));
  const failed = await run({ path: 'note.wav' });
  const attachmentId = /retry with attachmentId (att_\w+)/.exec(failed.ok ? '' : (failed.hint ?? ''))?.[1];
  isBroken = false;
  const outcome = await run({ attachmentId });
  expect(outcome.ok && outcome.output).toContain('at last');
});

test('registers no tool while disabled', async () => {
  const { kernel } = await open({ AGENT_TRANSCRIBE_ENABLED: '0' });
  expect(kernel.resolve('tools').find('transcribe_audio')).toBeUndefined();
});
