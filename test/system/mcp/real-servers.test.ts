import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../helpers/free-port.ts';
import { answerQuestions, everything, expectNobodyWith, filesystem, memory, startMcp, type McpHarness } from '../../unit/builtins/mcp/mcp-parts.ts';

let mcp: McpHarness;
let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'mcp-real-')));
  mcp = await startMcp();
});
afterAll(async () => {
  expect(await mcp.close()).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

/** Calls the tools in order and returns the outcomes by name. */
async function callAll(server: string, calls: readonly (readonly [name: string, args: object])[]): Promise<Record<string, any>> {
  const outcomes: Record<string, any> = {};
  for (const [name, args] of calls) outcomes[name] = await mcp.run(`${server}_${name}`, args);
  expect(mcp.toolsOf(server)).toEqual(expect.arrayContaining(calls.map(([name]) => `${server}_${name}`)));
  return outcomes;
}

const everyTool = [
  ['echo', { message: 'hello' }],
  ['get_annotated_message', { messageType: 'success', includeImage: true }],
  ['get_env', {}],
  ['get_resource_links', { count: 2 }],
  ['get_resource_reference', { resourceType: 'Text', resourceId: 1 }],
  ['get_roots_list', {}],
  ['get_structured_content', { location: 'New York' }],
  ['get_sum', { a: 2, b: 3 }],
  ['get_tiny_image', {}],
  ['gzip_file_as_resource', { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resource' }],
  ['simulate_research_query', { topic: 'tea', ambiguous: false }],
  ['toggle_simulated_logging', {}],
  ['toggle_subscriber_updates', {}],
  ['trigger_elicitation_request', {}],
  ['trigger_long_running_operation', { duration: 0.4, steps: 4 }],
] as const;

async function checkEverything(server: string, calls: readonly (readonly [string, object])[] = everyTool): Promise<void> {
  const answering = answerQuestions(mcp, (_, options) => (options.includes('Answer') ? 'Answer' : (options[0] ?? '')));
  try {
    const outcomes = await callAll(server, calls);
    for (const [name, outcome] of Object.entries(outcomes))
      expect({ name, ok: outcome.ok, isUntrusted: outcome.isUntrusted, error: outcome.error }).toEqual({ name, ok: true, isUntrusted: true });
    expect(outcomes['echo'].output).toBe('Echo: hello');
    expect(outcomes['get_sum'].output).toContain('5');
    expect(outcomes['get_tiny_image'].images).toEqual([{ mimeType: 'image/png', base64: expect.any(String) }]);
    expect(JSON.parse(outcomes['get_structured_content'].output)).toMatchObject({ temperature: expect.any(Number) });
    expect(outcomes['get_roots_list'].output).toContain(mcp.workspace);
    if (calls === everyTool) expect(outcomes['simulate_research_query'].output).toContain('tea');
    expect(answering.prompts[0]).toContain(`The MCP server '${server}' asks: `);
    expect(answering.prompts.every((prompt) => prompt.includes(server))).toBe(true);
    expect(outcomes['trigger_elicitation_request'].output).toContain('provided');
  } finally {
    answering.stop();
  }
}

describe('server-everything', () => {
  test('supports every tool over stdio, with images, structured content, questions, roots and tasks', async () => {
    const { status, body } = await mcp.add({ name: 'every', command: process.execPath, args: [everything, 'stdio'] });
    expect({ status, ok: body.ok }).toEqual({ status: 200, ok: true });
    expect(body.toolCount).toBe(body.tools.length);
    await checkEverything('every');
    expect((await mcp.run('every_get_env')) as any).toMatchObject({ output: expect.not.stringContaining('AGENT_') });
    expect(await mcp.connection('every')).toMatchObject({ kind: 'mcp', status: 'connected', toolCount: everyTool.length });
  });

  test('reads resources and prompts with the mcp tools', async () => {
    const listed = (await mcp.run('mcp_list_resources', { server: 'every' })) as any;
    expect(listed.output).toMatch(/^Resource \S+/m);
    expect(listed.output).toMatch(/^Template \S+/m);
    const [, uri] = /^Resource (\S+)/m.exec(listed.output) ?? [];
    expect(await mcp.run('mcp_read_resource', { server: 'every', uri })).toMatchObject({
      ok: true,
      isUntrusted: true,
      output: expect.stringContaining(uri ?? ''),
    });
    const [, prompt] = /^Prompt ([\w-]+)\(\)/m.exec(listed.output) ?? [];
    expect(await mcp.run('mcp_get_prompt', { server: 'every', name: prompt })).toMatchObject({ ok: true, output: expect.stringContaining('user:') });
    expect(await mcp.run('mcp_read_resource', { server: 'nobody', uri: 'x:y' })).toMatchObject({ ok: false, hint: 'Servers: every.' });
  });

  test('reports progress during a call and aborts it', async () => {
    const notes: string[] = [];
    await mcp.run('every_trigger_long_running_operation', { duration: 1.2, steps: 3 }, { progress: (note) => notes.push(note) });
    expect(notes).toContain('1 of 3');
    const stop = new AbortController();
    // Exceeds the test timeout.
    const running = mcp.run('every_trigger_long_running_operation', { duration: 600, steps: 600 }, { signal: stop.signal, progress: () => stop.abort() });
    expect(await running).toMatchObject({ ok: false });
  });

  test('ends the process and removes the tools of a removed server', async () => {
    expect((await mcp.call('DELETE', '/api/integrations/mcp/every')).body).toEqual({ ok: true });
    await expectNobodyWith(everything);
    expect(mcp.toolsOf('every')).toEqual([]);
    expect(mcp.kernel.resolve('tools').find('mcp_list_resources')).toBeUndefined();
    expect((await mcp.call('DELETE', '/api/integrations/mcp/every')).body).toMatchObject({ error: { code: 'not_found' } });
  });

  test('supports the same tools over streamable HTTP', async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [everything, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    try {
      await said(server, 'listening');
      const { status, body } = await mcp.add({ name: 'web', url: `http://127.0.0.1:${port}/mcp` });
      expect({ status, ok: body.ok }).toEqual({ status: 200, ok: true });
      await checkEverything(
        'web',
        everyTool.filter(([name]) => name !== 'simulate_research_query'),
      );
      await mcp.call('DELETE', '/api/integrations/mcp/web');
    } finally {
      server.kill('SIGKILL');
    }
  });

  test('falls back to the SSE transport', async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [everything, 'sse'], { env: { ...process.env, PORT: String(port) }, stdio: ['ignore', 'ignore', 'pipe'] });
    try {
      await said(server, 'running on port');
      expect((await mcp.add({ name: 'old', url: `http://127.0.0.1:${port}/sse` })).body).toMatchObject({ ok: true });
      expect(await mcp.run('old_echo', { message: 'hello' })).toMatchObject({ ok: true, output: 'Echo: hello' });
      await mcp.call('DELETE', '/api/integrations/mcp/old');
    } finally {
      server.kill('SIGKILL');
    }
  });
});

test('server-filesystem: supports every tool within the workspace of the chat only', async () => {
  const at = (name: string): string => join(mcp.workspace, name);
  await writeFile(at('a.txt'), 'one\ntwo\n');
  await mkdir(at('sub'));
  await mcp.add({ name: 'fs', command: process.execPath, args: [filesystem, folder] });
  // The server applies its root after it starts to answer.
  await expect.poll(async () => ((await mcp.run('fs_list_allowed_directories')) as any).output).toContain(mcp.workspace);
  const outcomes = await callAll('fs', [
    ['list_allowed_directories', {}],
    ['read_file', { path: at('a.txt') }],
    ['read_text_file', { path: at('a.txt') }],
    ['read_media_file', { path: at('a.txt') }],
    ['read_multiple_files', { paths: [at('a.txt')] }],
    ['write_file', { path: at('b.txt'), content: 'hello' }],
    ['edit_file', { path: at('b.txt'), edits: [{ oldText: 'hello', newText: 'bye' }] }],
    ['create_directory', { path: at('new') }],
    ['list_directory', { path: mcp.workspace }],
    ['list_directory_with_sizes', { path: mcp.workspace }],
    ['directory_tree', { path: mcp.workspace }],
    ['move_file', { source: at('b.txt'), destination: at('c.txt') }],
    ['search_files', { path: mcp.workspace, pattern: '*.txt' }],
    ['get_file_info', { path: at('c.txt') }],
  ]);
  expect(mcp.toolsOf('fs')).toHaveLength(Object.keys(outcomes).length);
  for (const [name, outcome] of Object.entries(outcomes)) expect({ name, ok: outcome.ok }).toEqual({ name, ok: true });
  expect(outcomes['list_allowed_directories'].output).not.toContain(folder);
  expect(outcomes['read_text_file'].output).toContain('two');
  expect(outcomes['search_files'].output).toContain('c.txt');
  expect(await mcp.run('fs_read_text_file', { path: '/etc/hostname' })).toMatchObject({ ok: false, isUntrusted: true });
  await mcp.call('DELETE', '/api/integrations/mcp/fs');
  await expectNobodyWith(filesystem);
});

test('server-memory: supports every tool and receives the configured environment', async () => {
  await mcp.add({ name: 'mem', command: process.execPath, args: [memory], env: { MEMORY_FILE_PATH: join(folder, 'graph.jsonl') } });
  const tea = { name: 'Tea', entityType: 'drink', observations: ['hot'] };
  const outcomes = await callAll('mem', [
    ['create_entities', { entities: [tea, { ...tea, name: 'Cup', entityType: 'thing' }] }],
    ['create_relations', { relations: [{ from: 'Tea', to: 'Cup', relationType: 'in' }] }],
    ['add_observations', { observations: [{ entityName: 'Tea', contents: ['green'] }] }],
    ['read_graph', {}],
    ['search_nodes', { query: 'green' }],
    ['open_nodes', { names: ['Cup'] }],
    ['delete_observations', { deletions: [{ entityName: 'Tea', observations: ['hot'] }] }],
    ['delete_relations', { relations: [{ from: 'Tea', to: 'Cup', relationType: 'in' }] }],
    ['delete_entities', { entityNames: ['Tea', 'Cup'] }],
  ]);
  expect(mcp.toolsOf('mem')).toHaveLength(Object.keys(outcomes).length);
  for (const [name, outcome] of Object.entries(outcomes)) expect({ name, ok: outcome.ok }).toEqual({ name, ok: true });
  expect(outcomes['search_nodes'].output).toContain('green');
  await mcp.call('DELETE', '/api/integrations/mcp/mem');
});

function said(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve) => {
    let all = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      all += chunk.toString();
      if (all.includes(text)) resolve();
    });
  });
}
