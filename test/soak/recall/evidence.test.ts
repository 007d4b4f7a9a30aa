// Measures recall on LoCoMo (Maharana et al., 2024): finds the evidence of its questions among one note per turn, by words alone.
// Needs the unpacked data of https://github.com/snap-research/locomo: `LOCOMO=FOLDER npm run soak recall`, where FOLDER has the ten JSON files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { useFolder } from '../../helpers/use-opened.ts';
import { openWriter } from '../../unit/builtins/memory/note-writer.ts';

interface Turn {
  readonly id: string;
  readonly text: string;
}

interface Question {
  readonly question: string;
  readonly evidence: readonly string[];
}

const source = process.env['LOCOMO'] ?? '';
const folder = useFolder('locomo-');
const depths = [5, 10, 20];
const withoutAnswer = 5;

function read(file: string): { readonly turns: readonly Turn[]; readonly questions: readonly Question[] } {
  const data = JSON.parse(readFileSync(join(source, file), 'utf8'));
  const turns: Turn[] = [];
  for (let session = 1; data[`session_${session}`]; session++) {
    for (const { dia_id, speaker, text } of data[`session_${session}`]) turns.push({ id: dia_id, text: `${speaker}: ${text}` });
  }
  const ids = new Set(turns.map(({ id }) => id));
  const questions = data.qa
    .filter(({ category }: { readonly category: number }) => category !== withoutAnswer)
    .map(({ question, evidence = [] }: Question) => ({ question, evidence: evidence.flatMap((one) => one.split(/[;,\s]+/)).filter((one) => ids.has(one)) }))
    .filter(({ evidence }: Question) => evidence.length > 0);
  return { turns, questions };
}

test.skipIf(source === '')('finds evidence among the first five notes for at least 66 % of the questions', { timeout: 600_000 }, async () => {
  const found = new Map(depths.map((depth) => [depth, 0]));
  let asked = 0;
  for (const file of readdirSync(source).filter((name) => name.endsWith('.json'))) {
    const { turns, questions } = read(file);
    const place = { chatId: 'chat_01ARZ3NDEKTSV4RRFFQ69G5FAV', workspaceRoot: join(folder, file) };
    const writer = await openWriter(join(folder, `home-${file}`));
    const keys = new Map<string, string>();
    for (const [at, { id, text }] of turns.entries()) {
      keys.set(`turn-${at}`, id);
      await writer.store.remember(place, { key: `turn-${at}`, value: text, scope: 'chat', source: { kind: 'user', ref: 'test' } } as never);
    }
    for (const { question, evidence } of questions) {
      asked++;
      const hits = await writer.store.recall(place, question, { limit: 20, isCounted: false });
      const ids = hits.map(({ note }) => keys.get(note.key) ?? '');
      for (const depth of depths) if (evidence.some((one) => ids.slice(0, depth).includes(one))) found.set(depth, (found.get(depth) ?? 0) + 1);
    }
    await writer.close();
  }
  const percent = depths.map((depth) => (100 * (found.get(depth) ?? 0)) / asked);
  process.stdout.write(`${asked} questions, any evidence in the first ${depths.join('/')}: ${percent.map((one) => one.toFixed(1)).join(' / ')} %\n`);
  expect(percent[0]).toBeGreaterThanOrEqual(66);
});
