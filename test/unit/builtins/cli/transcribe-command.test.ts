// Tests `transcribe` and `speak`, with a server of their own and with a running one.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startScriptedAudio } from '../../../helpers/scripted-audio.ts';
import { babbleOf, toneOf } from '../../../helpers/spoken.ts';
import { createCommandLine } from '../../../helpers/command-line.ts';

test('transcribe prints the text or JSON, and reports files it cannot transcribe', async () => {
  const audio = await startScriptedAudio(() => ({ body: { text: 'hello there', usage: { cost: 0.01 } } }));
  const { environment } = audio;
  const { run, serve, workspace } = await createCommandLine();
  await writeFile(join(workspace, 'note.wav'), babbleOf(1));
  await writeFile(join(workspace, 'note.txt'), 'no sound at all');
  const alone = await run(['transcribe', 'note.wav', '--language', 'en'], { environment });
  expect(alone).toMatchObject({ code: 0, stdout: 'hello there\n' });
  expect(audio.asked.find(({ path }) => path.endsWith('/audio/transcriptions'))?.fields).toMatchObject({ language: 'en' });
  await serve(environment);
  const { code, stdout } = await run(['transcribe', 'note.wav', '--json'], { environment });
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ text: 'hello there', cost: 0.01, durationSec: 1, attachmentId: expect.stringMatching(/^att_/) }),
  ]);
  const text = await run(['transcribe', 'note.txt'], { environment });
  expect([text.code, text.stderr]).toEqual([1, expect.stringContaining('This is not a recording')]);
  const none = await run(['transcribe', 'none.wav'], { environment });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('none.wav cannot be read')]);
  expect((await run(['transcribe'], { environment })).code).toBe(2);
});

test('speak writes one audio file per part of the text', async () => {
  const sound = toneOf(1, 0.2);
  const audio = await startScriptedAudio(() => ({ body: sound, headers: { 'content-type': 'audio/wav' } }));
  const environment = { ...audio.environment, AGENT_TTS_ENABLED: '1', AGENT_TTS_FORMAT: 'wav' };
  const { run, workspace } = await createCommandLine();
  const long = `Hello there. ${'And it goes on and on. '.repeat(30)}`;
  const { code, stdout } = await run(['speak', long, '--out', 'hello.wav'], { environment });
  const files = stdout.trim().split('\n');
  expect([code, files.slice(0, 2)]).toEqual([0, ['hello.wav', 'hello-2.wav']]);
  for (const file of files) expect((await readFile(join(workspace, file))).equals(sound)).toBe(true);
  const short = await run(['speak', 'Hello.', '--json'], { environment });
  expect([short.code, JSON.parse(short.stdout).files]).toEqual([0, ['speech.wav']]);
  expect((await run(['speak'], { environment })).code).toBe(2);
});
