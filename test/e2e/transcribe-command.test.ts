// `app transcribe FILE`, as the built program: prints the text, by a server that it starts or by the one that runs.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { startScriptedAudio, type ScriptedAudio } from '../helpers/scripted-audio.ts';
import { babbleOf } from '../helpers/spoken.ts';
import { createProgram, type Program } from './cli-program.ts';

let program: Program | undefined;
let audio: ScriptedAudio | undefined;
afterEach(async () => {
  await program?.clean();
  await audio?.close();
  program = audio = undefined;
});

test('prints what is said, as JSON where that is wanted, and says why where it cannot', async () => {
  audio = await startScriptedAudio(() => ({ body: { text: 'hello there', usage: { cost: 0.01 } } }));
  const { environment } = audio;
  const { run, start, workspace } = (program = await createProgram());
  await writeFile(join(workspace, 'note.wav'), babbleOf(1));
  await writeFile(join(workspace, 'note.txt'), 'no sound at all');
  const alone = await run(['transcribe', 'note.wav', '--language', 'en'], { environment });
  expect(alone).toMatchObject({ code: 0, stdout: 'hello there\n' });
  expect(audio.asked.find(({ path }) => path.endsWith('/audio/transcriptions'))?.fields).toMatchObject({ language: 'en' });
  await start(['serve'], { environment }).until(/http:\/\/\S+/);
  const { code, stdout } = await run(['transcribe', 'note.wav', '--json'], { environment });
  expect([code, JSON.parse(stdout)]).toEqual([
    0,
    expect.objectContaining({ text: 'hello there', cost: 0.01, durationSec: 1, attachmentId: expect.stringMatching(/^att_/) }),
  ]);
  const text = await run(['transcribe', 'note.txt'], { environment });
  expect([text.code, text.stderr]).toEqual([1, expect.stringContaining('This is no recording')]);
  const none = await run(['transcribe', 'none.wav'], { environment });
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('none.wav cannot be read')]);
  expect((await run(['transcribe'], { environment })).code).toBe(2);
});
