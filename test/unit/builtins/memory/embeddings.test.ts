import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { startMemory, type MemoryWorld } from './memory-world.ts';
import { startLocalServer, type LocalServer } from '../../../helpers/local-server.ts';

let world: MemoryWorld;
let server: LocalServer;
let asked: { model: string; input: string[]; key: string | undefined }[];
let status: number;
beforeEach(async () => {
  asked = [];
  status = 200;
  server = await startLocalServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
    request.on('end', () => {
      const { model, input } = JSON.parse(text);
      asked.push({ model, input, key: request.headers.authorization });
      // Vehicles have one direction, everything else another.
      const data = input.map((one: string, index: number) => ({ index, embedding: /car|automobile|vehicle/i.test(one) ? [1, 0.1] : [0.1, 1] }));
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data: data.reverse() }));
    });
  });
});
const environment = () => ({ AGENT_API_BASE_URL: `${server.url}/v1`, AGENT_API_KEY: 'embed-key', AGENT_EMBED_MODEL: 'small-embed' });
const user = { kind: 'user', ref: 'test' } as const;
async function fill(): Promise<void> {
  await world.notes.remember(world.place, { type: 'fact', key: 'ride', value: 'The automobile is red.', source: user });
  await world.notes.remember(world.place, { type: 'fact', key: 'lunch', value: 'Soup at noon.', source: user });
}

test('with AGENT_EMBED_MODEL finds a note by meaning, and computes its vector once', async () => {
  world = await startMemory({ environment: environment() });
  await fill();
  const hits = await world.notes.recall(world.place, 'car');
  expect(hits[0]?.note.key).toBe('ride');
  expect(asked.every(({ model, key }) => model === 'small-embed' && key === 'Bearer embed-key')).toBe(true);
  const inputs = asked.flatMap(({ input }) => input);
  expect(inputs.sort()).toEqual(['car', 'fact:lunch\nSoup at noon.', 'fact:ride\nThe automobile is red.']);
  await world.notes.recall(world.place, 'car');
  expect(asked.flatMap(({ input }) => input).length).toBe(3);
  await world.harness.close({ keepFiles: true });
  expect((await readFile(join(world.harness.home, '.agent_notes.vectors.jsonl'), 'utf8')).trim().split('\n').length).toBe(2);
  const again = await startMemory({ environment: environment(), home: world.harness.home, workspace: world.harness.workspace });
  await again.notes.recall(again.place, 'car');
  expect(asked.flatMap(({ input }) => input).length).toBe(4);
});

test('finds notes by words when the provider fails, and logs one warning', async () => {
  status = 500;
  world = await startMemory({ environment: environment() });
  await fill();
  for (let at = 0; at < 3; at++) expect((await world.notes.recall(world.place, 'red automobile')).map(({ note }) => note.key)).toEqual(['ride']);
  expect(world.harness.logs.filter((line) => line.includes('embeddings of')).length).toBe(1);
});

test('without AGENT_EMBED_MODEL sends no request and finds notes by words only', async () => {
  world = await startMemory({ environment: { ...environment(), AGENT_EMBED_MODEL: '' } });
  await fill();
  expect(await world.notes.recall(world.place, 'car')).toEqual([]);
  expect((await world.notes.recall(world.place, 'automobiles'))[0]?.note.key).toBe('ride');
  expect(asked).toEqual([]);
});
