// Tests worker threads of the built program, whose code is in separate files.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createWorld } from '../../unit/plugins/tools/fake-world.ts';
import { startFaultServer } from '../../unit/builtins/web/fault-server.ts';
import { root } from '../../helpers/sources.ts';

test('extracts an article and a PDF in the worker thread of the built web plugin', async () => {
  const server = await startFaultServer();
  const web = (await import(pathToFileURL(join(root, 'dist/builtins/web.mjs')).href)) as object;
  const world = await createWorld({
    modules: { web } as never,
    environment: { AGENT_WEB_FETCH_ALLOWED_HOSTS: server.host, AGENT_WEB_READABILITY: '1' },
  });
  try {
    const read = (path: string) => world.run('web_fetch', { url: server.url + path }, {});
    expect(await read('/news')).toMatchObject({ ok: true, output: expect.stringContaining('Note: This is the article only') });
    expect(await read('/pdf')).toMatchObject({ ok: true, output: expect.stringContaining('[page 2 of 2]') });
  } finally {
    await world.close();
    await server.close();
  }
});
