// Tests bundles and the .claude folder of a workspace end to end: files, messages, trust and real commands.
import '../../../helpers/plain-resolution.ts';
import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { useAgentBench, type AgentBench } from '../../plugins/agent/agent-bench.ts';

const start = useAgentBench();
let bench: AgentBench;
beforeEach(async () => {
  bench = await start(undefined, {
    builtins: ['model-chat-completions', 'files', 'shell', 'skills', 'mcp', 'bundles', 'checkpoints'],
    environment: { SOME_API_KEY: 'sk-hidden', MY_TOKEN: 'hidden' },
  });
});

const put = async (path: string, text: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
};
const own = (path: string): string => join(bench.home, 'plugins/reviews', path);
const here = (path: string): string => join(bench.workspace, path);
const hooksOf = (event: string, command: string, more: object = {}): string =>
  JSON.stringify({ hooks: { [event]: [{ ...more, hooks: [{ type: 'command', command }] }] } });

async function turn(text: string, ...replies: object[]): Promise<{ events: any[]; answer: string; asked: string }> {
  const before = bench.model.requests.length;
  for (const reply of replies) bench.model.push(reply);
  const { body } = await bench.send(text);
  await bench.ended(body.turnId);
  const events = bench.stream.events.filter((event) => event['turnId'] === body.turnId);
  const answer = events.filter(({ kind }) => kind === 'text').map((event) => event['delta']).join(''); // prettier-ignore
  const requests = bench.model.requests.slice(before);
  return { events, answer, asked: JSON.stringify(requests.at(-1)?.body ?? '') };
}

const say = async (text: string): Promise<string> => (await turn(text)).answer;

async function trustOwn(): Promise<string> {
  const shown = await say('/bundles reviews');
  const code = /\/bundles trust reviews (\w{12})/.exec(shown)?.[1] ?? '';
  await expect(say(`/bundles trust reviews ${code}`)).resolves.toContain('Trusted');
  return shown;
}

async function trustWorkspace(): Promise<string> {
  const shown = await say('/trust');
  await say('/trust yes bundle');
  return shown;
}

describe('a bundle in the plugin folder', () => {
  beforeEach(async () => {
    await put(own('.claude-plugin/plugin.json'), JSON.stringify({ name: 'reviews', description: 'Reviews code.', agents: './agents' }));
    await put(own('commands/review.md'), '---\ndescription: Reviews a file\nargument-hint: <file>\n---\nReview $1 as in "$ARGUMENTS".\n');
    await put(own('commands/Bad Näme.md'), 'x');
    await put(own('skills/tea/SKILL.md'), '---\nname: tea\ndescription: Brews tea.\n---\nRead skills/tea/leaves.md.\n');
    await put(own('skills/tea/leaves.md'), 'Green leaves.');
    await put(own('scripts/guard.sh'), 'cat > "$CLAUDE_PROJECT_DIR/seen.json"; env > "$CLAUDE_PROJECT_DIR/env.txt"; echo "No writing today." >&2; exit 2\n');
    await put(own('hooks/hooks.json'), hooksOf('PreToolUse', 'sh "${CLAUDE_PLUGIN_ROOT}/scripts/guard.sh"', { matcher: 'Write|Edit' }));
  });

  const writing = { toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'hello' } }] };

  test('has no effect until a person trusts the content that was shown', async () => {
    expect(await say('/bundles')).toContain('reviews: 1 hook, 1 command, 1 skill (not trusted');
    expect(await say('/review a.ts')).toContain("There is no command '/review'");
    const { asked } = await turn('Write it.', writing, { text: 'Done.' });
    expect(asked).not.toContain('Brews tea');
    expect(await readFile(here('a.txt'), 'utf8')).toBe('hello');
    expect(await say('/bundles trust reviews 000000000000')).toContain('Review it first');

    const shown = await say('/bundles reviews');
    for (const part of [
      ...[
        'runs at PreToolUse of "Write|Edit"',
        'guard.sh',
        'No writing today',
        '/review sends this text to the model',
        'cannot be a command',
        'agents are not supported',
      ],
    ]) {
      expect(shown).toContain(part);
    }
  });

  test('adds its command, skill and hook once trusted, and runs the hook without secrets in its environment', async () => {
    await trustOwn();
    const { asked } = await turn('/review src/a.ts now', { text: 'Reviewed.' });
    expect(asked).toContain('Review src/a.ts as in \\"src/a.ts now\\".');
    expect(asked).toContain('tea: Brews tea.');
    expect((await bench.call('GET', '/api/commands')).body.commands).toContainEqual(expect.objectContaining({ name: 'review', usage: '<file>' }));

    const skill = (args: object): object => ({ toolCalls: [{ name: 'use_skill', args: { name: 'tea', ...args } }] });
    const read = await turn('Tea.', skill({}), skill({ file: 'skills/tea/leaves.md' }), skill({ file: '../plugin.json' }), { text: 'Ok.' });
    const results = read.events.filter(({ kind }) => kind === 'tool_result');
    expect(results.map(({ ok }) => ok)).toEqual([true, true, false]);
    expect(results[1].output).toBe('Green leaves.');

    const { events } = await turn('Write it.', writing, { text: 'Refused.' });
    expect(events.find(({ kind }) => kind === 'tool_result')).toMatchObject({
      ok: false,
      output: expect.stringContaining('No writing today. [From a hook of reviews.]'),
    });
    expect(existsSync(here('a.txt'))).toBe(false);
    expect(JSON.parse(await readFile(here('seen.json'), 'utf8'))).toMatchObject({
      hook_event_name: 'PreToolUse',
      tool_name: 'Write',
      own_tool_name: 'write_file',
      tool_input: { path: 'a.txt', file_path: here('a.txt'), content: 'hello' },
      cwd: bench.workspace,
    });
    expect(await readFile(here('env.txt'), 'utf8')).not.toMatch(/hidden|APP_HOME/);
  });

  test('loses its trust when one of its files changes, and its commands when the trust is revoked', async () => {
    await trustOwn();
    await put(own('scripts/guard.sh'), 'exit 0 # changed\n');
    await turn('Write it.', writing, { text: 'Done.' });
    expect(existsSync(here('seen.json'))).toBe(false);
    expect(await say('/bundles')).toContain('not trusted');
    expect(await say('/review a')).toContain('There is no command');
    await trustOwn();
    expect((await turn('/review a', { text: 'Ok.' })).asked).toContain('Review a');
    await say('/bundles distrust reviews');
    expect(await say('/review a')).toContain('There is no command');
  });

  test('is not listed as a broken plugin', async () => {
    const rows: { name: string }[] = (await bench.call('GET', '/api/plugins')).body.plugins;
    expect(rows.map(({ name }) => name)).not.toContain('reviews');
  });

  test('adds its MCP servers to every chat, with paths inside its own folder', async () => {
    const server = join(import.meta.dirname, '../mcp/hostile-server.mjs');
    await put(own('server.mjs'), await readFile(server, 'utf8'));
    await put(own('.mcp.json'), JSON.stringify({ mcpServers: { extra: { command: process.execPath, args: ['${CLAUDE_PLUGIN_ROOT}/none.mjs'] } } }));
    const shown = await trustOwn();
    expect(shown).toContain(`extra: ${process.execPath} ${own('none.mjs')}`);
    await turn('Go.', { text: 'Ok.' });
    await expect.poll(async () => JSON.stringify((await bench.call('GET', '/api/integrations')).body), { timeout: 15_000 }).toContain('extra (');
  });
});

describe('an MCP server of a bundle', () => {
  const server = `
const lines = require('node:readline').createInterface({ input: process.stdin });
const tools = [{ name: 'light', description: 'Lights a lamp.', inputSchema: { type: 'object', properties: { lamp: { type: 'string' } } } }];
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'lamps', version: '1' } }
    : method === 'tools/list' ? { tools }
    : method === 'tools/call' ? { content: [{ type: 'text', text: 'lit ' + params.arguments.lamp + ' from ' + __dirname }] } : {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;

  test('runs a tool call after the bundle is trusted and the call is approved', async () => {
    await put(own('.claude-plugin/plugin.json'), JSON.stringify({ name: 'reviews', description: 'Lights lamps.' }));
    await put(own('server.cjs'), server);
    await put(own('.mcp.json'), JSON.stringify({ mcpServers: { lamps: { command: process.execPath, args: ['${CLAUDE_PLUGIN_ROOT}/server.cjs'] } } }));
    await put(join(bench.home, 'plugins/broken', 'plugin.json'), '{}');
    const listed = async (): Promise<any[]> => (await bench.call('GET', '/api/bundles')).body.bundles;
    expect(await listed()).toContainEqual({ name: 'reviews', state: 'needs_trust', reason: 'nothing that is used; /bundles reviews shows it' });
    await trustOwn();
    expect(await listed()).toContainEqual(expect.objectContaining({ name: 'reviews', state: 'active' }));
    await turn('Go.', { text: 'Ok.' });
    await expect
      .poll(async () => (await bench.call('GET', '/api/integrations')).body.connections, { timeout: 15_000 })
      .toEqual([expect.objectContaining({ name: expect.stringMatching(/^lamps /), toolCount: 1 })]);

    for (const reply of [{ toolCalls: [{ name: 'lamps_light', args: { lamp: 'nine' } }] }, { text: 'It is lit.' }]) bench.model.push(reply);
    const { body } = await bench.send('Light lamp nine.');
    await expect
      .poll(async () => (await bench.call('GET', '/api/pending')).body.approvals.map(({ name }: any) => name), { timeout: 15_000 })
      .toEqual(['lamps_light']);
    const [{ approvalId }] = (await bench.call('GET', '/api/pending')).body.approvals;
    await bench.call('POST', '/api/approve', { approvalId, decision: 'approve' });
    await bench.ended(body.turnId);
    expect(bench.stream.events.find(({ kind, turnId }) => kind === 'tool_result' && turnId === body.turnId)).toMatchObject({
      ...{ ok: true, untrusted: true, output: `lit nine from ${own('').replace(/\/$/, '')}` },
    });
  });
});

describe('the .claude folder of a workspace', () => {
  test('is active only after /trust, and not after a change of its files', async () => {
    await put(here('.claude/settings.json'), hooksOf('UserPromptSubmit', 'sh .claude/hooks/note.sh'));
    await put(here('.claude/hooks/note.sh'), 'echo "The build is red."\n');
    await put(here('.claude/commands/ship.md'), 'Ship it.');
    expect((await turn('Hello.', { text: 'Hi.' })).asked).not.toContain('The build is red');
    expect(await trustWorkspace()).toMatch(/bundle: 1 hook, 1 command of \.claude \(not trusted\)[^]*sh \.claude\/hooks\/note\.sh[^]*The build is red/);
    expect((await turn('Hello.', { text: 'Hi.' })).asked).toMatch(/From a hook of [^\]]+:\]\\nThe build is red/);
    const { asked } = await turn('/ship today', { text: 'Ok.' });
    expect(asked).toContain('Ship it.\\n\\nArguments: today');

    await put(here('.claude/hooks/note.sh'), 'echo "Another word."\n');
    expect((await turn('Hello.', { text: 'Hi.' })).asked).not.toContain('[From a hook of');
  });

  test('includes scripts that a hook names in its trust, anywhere in the workspace', async () => {
    await put(here('.claude/settings.json'), hooksOf('UserPromptSubmit', 'sh "$CLAUDE_PROJECT_DIR"/tools/note.sh'));
    await put(here('tools/note.sh'), 'echo "First."\n');
    await trustWorkspace();
    expect((await turn('Hello.', { text: 'Hi.' })).asked).toContain('First.');
    await put(here('tools/note.sh'), 'echo "Second."\n');
    expect((await turn('Hello.', { text: 'Hi.' })).asked).not.toContain('[From a hook of');
  });

  test('answers a message that a hook blocks with its reason, without a model request', async () => {
    await put(here('.claude/settings.json'), hooksOf('UserPromptSubmit', `echo '{"decision":"block","reason":"Not on Fridays."}'`));
    await trustWorkspace();
    const before = bench.model.requests.length;
    expect(await say('Deploy.')).toContain('Not on Fridays.');
    expect(bench.model.requests).toHaveLength(before);
  });

  test('appends the context of a PostToolUse hook to the result, and a Stop hook makes the model continue once', async () => {
    const hooks = {
      PostToolUse: [{ matcher: 'Read', hooks: [{ type: 'command', command: `echo '{"hookSpecificOutput":{"additionalContext":"Format it."}}'` }] }],
      Stop: [{ hooks: [{ type: 'command', command: 'echo "Run the tests first." >&2; exit 2' }] }],
      SessionStart: [{ hooks: [{ type: 'command', command: 'echo "Branch main."' }] }],
    };
    await put(here('.claude/settings.json'), JSON.stringify({ hooks }));
    await put(here('a.txt'), 'text');
    await trustWorkspace();
    await bench.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: bench.workspace, activate: true });
    const { events, asked } = await turn('Read.', { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] }, { text: 'Done.' }, { text: 'Tested.' });
    expect(events.find(({ kind }) => kind === 'tool_result').output).toMatch(/text[^]*\[From a hook of [^\]]+:\]\nFormat it\.$/);
    expect(asked).toContain('Run the tests first.');
    expect(asked).toContain('Branch main.');
    expect(events.at(-1)).toMatchObject({ kind: 'turn_end', reason: 'done', rounds: 3 });
  });

  test('a hook can require an approval but not skip one', async () => {
    const decided = (decision: string): string => `echo '{"hookSpecificOutput":{"permissionDecision":"${decision}","permissionDecisionReason":"Look twice."}}'`;
    await put(here('.claude/settings.json'), JSON.stringify({ hooks: { PreToolUse: [
      { matcher: 'Read', hooks: [{ type: 'command', command: decided('ask') }] },
      { matcher: 'Bash', hooks: [{ type: 'command', command: decided('allow') }] },
    ] } })); // prettier-ignore
    await trustWorkspace();
    for (const [name, args] of [
      ['read_file', { path: 'a.txt' }],
      ['run_command', { command: 'touch made' }],
    ] as const) {
      bench.model.push({ toolCalls: [{ name, args }] }, { text: 'Ok.' });
      const { body } = await bench.send('Go.');
      const asked = await bench.stream.until((event) => event.kind === 'tool_approval' && event['turnId'] === body.turnId);
      if (name === 'read_file') expect(asked['reason']).toBe('Look twice.');
      await bench.call('POST', '/api/approve', { approvalId: asked['approvalId'], decision: 'reject' });
      await bench.ended(body.turnId);
    }
    expect(existsSync(here('made'))).toBe(false);
  });

  test('blocks the call when a hook times out, and lists skipped links and invalid files with a reason', async () => {
    await put(
      here('.claude/settings.json'),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'sleep 60', timeout: 0.2 }] }], Notification: [], Stop: 7 } }),
    );
    await mkdir(here('.claude/commands'), { recursive: true });
    await symlink('/etc/passwd', here('.claude/commands/passwd.md'));
    await put(here('.claude/commands/broken.md'), '---\na: [\n---\nx');
    const shown = await trustWorkspace();
    expect(shown).toMatch(/passwd\.md is a link/);
    expect(shown).toMatch(/broken\.md has front matter that is not valid YAML/);
    expect(shown).toMatch(/settings\.json: the event Notification has no equivalent here\./);
    expect(shown).not.toContain('root:');
    const { events } = await turn('Read.', { toolCalls: [{ name: 'read_file', args: { path: 'a.txt' } }] }, { text: 'Done.' });
    expect(events.find(({ kind }) => kind === 'tool_result')).toMatchObject({ ok: false, output: expect.stringContaining('did not end within 0.2 s') });
  });
});
