// Kills the process while it stores or transcribes a recording: nothing is partial, nothing acknowledged is lost, and a retry works.
// `ROUNDS=14 npx vitest run test/soak/kills/transcription-kills.test.ts` kills that often at each step; without ROUNDS, once at half of them.
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startProgram } from '../../helpers/program.ts';
import { startScriptedAudio } from '../../helpers/scripted-audio.ts';
import { babbleOf } from '../../helpers/spoken.ts';

const rounds = Number(process.env['ROUNDS'] ?? 0);

interface Life {
  readonly step?: string;
  readonly clip?: string;
  readonly attachmentId?: string;
}

/** @param born receives a function that kills the process */
async function live(
  places: { home: string; workspace: string; environment: Readonly<Record<string, string>> },
  life: Life,
  born?: (kill: () => void) => void,
): Promise<{ code: unknown; status?: number; body?: any; said: string }> {
  const { home, workspace, environment } = places;
  const { child, ended } = startProgram([home, workspace, JSON.stringify(life)], {
    main: join(import.meta.dirname, 'transcription-child.mjs'),
    environment: { HOME: home, ...environment },
  });
  born?.(() => void child.kill('SIGKILL'));
  const { code, said } = await ended;
  const answer = /^answer (\d+) (.*)$/m.exec(said);
  return { code, said, ...(answer ? { status: Number(answer[1]), body: JSON.parse(answer[2] ?? '') } : {}) };
}

/** Steps of storing a recording, and whether it is stored afterwards. */
const uploads: readonly (readonly [step: string, isKept: boolean])[] = [
  ['file before', false],
  ['file after', true],
  ['answered', true],
];
const some = new Set(['file after', 'asked']);
const isWanted = ([step]: readonly [string, ...unknown[]]): boolean => rounds > 0 || some.has(step);
/** Steps of transcribing a recording, and the number of provider requests until its text is available. */
const writings: readonly (readonly [step: string, asked: number])[] = [
  ['asked', 2],
  ['file before', 2],
  ['file after', 1],
  ['announced', 1],
  ['answered', 1],
];

test(
  `recovers from kills at the steps of storing and transcribing a recording, ${rounds === 0 ? 'at some of them' : `${rounds} times`}`,
  { timeout: 120_000 * Math.max(1, rounds) },
  async () => {
    let kill: (() => void) | undefined;
    const audio = await startScriptedAudio(async () => {
      kill?.();
      return { body: { text: 'heard', usage: { cost: 0.01 } } };
    });
    const folder = await mkdtemp(join(tmpdir(), 'voice-kills-'));
    try {
      const bytes = babbleOf(1);
      const clip = join(folder, 'clip.wav');
      await writeFile(clip, bytes);
      for (let round = 0; round < Math.max(1, rounds); round++) {
        const home = join(folder, `home-${round}`);
        const places = { home, workspace: folder, environment: audio.environment };
        const storedClips = async (): Promise<string[]> => {
          const [chat = ''] = (await readdir(join(home, 'chats')).catch(() => [])).filter((name) => name.startsWith('chat_'));
          const names = await readdir(join(home, 'chats', chat, 'audio')).catch(() => []);
          const clips = names.filter((name) => /^att_\w+$/.test(name));
          for (const name of clips) expect((await readFile(join(home, 'chats', chat, 'audio', name))).equals(bytes)).toBe(true);
          return clips.sort();
        };
        let known: string[] = [];
        for (const [step, isStored] of uploads.filter(isWanted)) {
          const { code, body } = await live(places, { step, clip });
          const now = await storedClips();
          expect([step, code, now.length - known.length]).toEqual([step, 'SIGKILL', isStored ? 1 : 0]);
          if (body) expect(now).toContain(body.attachmentId);
          known = now;
        }
        for (const [step, asked] of writings.filter(isWanted)) {
          const { body: upload, said } = await live(places, { clip });
          expect(upload?.attachmentId, said).toBeDefined();
          const before = audio.asked.length;
          const { attachmentId } = upload;
          const died = await live(places, { step, attachmentId }, (end) => (kill = step === 'asked' ? end : undefined));
          kill = undefined;
          expect([step, died.code]).toEqual([step, 'SIGKILL']);
          const again = await live(places, { attachmentId });
          expect([step, again.status, again.body]).toEqual([step, 200, expect.objectContaining({ text: 'heard', cost: 0.01 })]);
          expect([step, audio.asked.length - before]).toEqual([step, asked]);
          expect((await storedClips()).includes(attachmentId)).toBe(true);
        }
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
      await audio.close();
    }
  },
);
