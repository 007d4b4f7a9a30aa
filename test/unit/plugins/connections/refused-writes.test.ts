// Tests failed writes of connections: a connection that could not be written does not exist.
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Harness, startHarness, useEach } from '../../../helpers/in-process.ts';

const harness = useEach(() => startHarness({ builtins: ['model-demo', 'openapi'] }));

const operation = (operationId: string): object => ({ operationId, responses: { 200: { description: 'Fine.' } } });
const connect = (operationId: string): ReturnType<Harness['call']> => {
  const spec = { openapi: '3.0.3', info: { title: 'Pets', version: '1' }, paths: { '/pets': { get: operation(operationId) } } };
  return harness.call('POST', '/api/integrations/openapi', { name: 'pets', spec, baseUrl: 'https://pets.example.com' });
};
const shown = async (): Promise<unknown> => {
  const { connections } = (await harness.call('GET', '/api/integrations')).body;
  const { tools } = (await harness.call('GET', '/api/tools')).body;
  return [connections.map(({ name }: { name: string }) => name), tools.map(({ name }: { name: string }) => name).filter((name: string) => /_pets/.test(name))];
};

const readFiles = async (): Promise<string[][]> => {
  const folder = join(harness.home, 'openapi');
  return Promise.all((await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'latin1')]));
};

/** Places an abandoned file where the lock belongs, so that the lock cannot be acquired. */
async function block(): Promise<() => Promise<void>> {
  const path = join(harness.home, 'integrations.json.lock');
  await writeFile(path, '');
  await utimes(path, 0, 0);
  return () => rm(path);
}

test('a connection is not created, replaced or removed if it cannot be written', async () => {
  const refused = { status: 503, body: { error: { code: 'unwritable', message: expect.stringContaining('integrations.json') } } };
  let mend = await block();
  expect(await connect('list_pets')).toMatchObject(refused);
  expect(await shown()).toEqual([[], []]);
  expect(await readdir(join(harness.home, 'openapi'))).toEqual([]);
  await mend();
  expect((await connect('list_pets')).status).toBe(200);
  const before = await shown();
  const files = await readFiles();
  expect(before).toEqual([['pets'], [expect.stringContaining('list_pets')]]);
  mend = await block();
  expect(await connect('find_pets')).toMatchObject(refused);
  expect(await harness.call('DELETE', '/api/integrations/openapi/pets')).toMatchObject(refused);
  expect(await shown()).toEqual(before);
  expect(await readFiles()).toEqual(files);
  await mend();
  expect((await harness.call('DELETE', '/api/integrations/openapi/pets')).status).toBe(200);
  expect(await shown()).toEqual([[], []]);
});
