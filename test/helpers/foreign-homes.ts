// Creates folders as other agents leave them on disk, with typical content: branches, broken lines, program output.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { zstd } from './zstd.ts';

export const claudeId = '1c2d3e4f-1111-4222-8333-0123456789ab';
export const codexId = '0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b';
export const oldCodexId = '0199a1b2-c3d4-7e5f-8a9b-ffffffffffff';
export const opencodeId = 'ses_494719016ffe85dkDMj0FPRbHK';

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const jsonl = (lines: readonly unknown[]): string => lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n') + '\n';

/** @param home home folder of the user @param project an existing folder */
export function plantClaudeCode(home: string, project: string): void {
  const root = join(home, '.claude');
  const folder = join(root, 'projects', project.replace(/[^A-Za-z0-9]/g, '-'));
  let minute = 0;
  let last: string | null = null;
  const line = (
    type: string,
    message: object,
    more: { readonly uuid?: string; readonly parentUuid?: string | null } & Record<string, unknown> = {},
  ): object => {
    const uuid = more.uuid ?? `uuid-${++minute}`;
    const one = {
      ...{ parentUuid: last, isSidechain: false, userType: 'external', cwd: project, sessionId: claudeId, version: '2.1.17', gitBranch: 'main', type, message },
      ...{ uuid, timestamp: new Date(Date.UTC(2026, 2, 4, 9, minute)).toISOString(), ...more },
    };
    last = uuid;
    return one;
  };
  const user = (content: unknown, more = {}): object => line('user', { role: 'user', content }, more);
  const assistant = (id: string, content: readonly object[], more = {}): object =>
    line(
      'assistant',
      { id, type: 'message', role: 'assistant', model: 'claude-sonnet-4-5', content, stop_reason: null, usage: { input_tokens: 4, output_tokens: 8 } },
      more,
    );
  const lines = [
    { type: 'file-history-snapshot', messageId: 'x', snapshot: { trackedFileBackups: {} }, isSnapshotUpdate: false },
    user('<local-command-caveat>Caveat: local commands.</local-command-caveat>', { isMeta: true }),
    user('Why does the harbour test fail?\n<system-reminder>Remember the todo list.</system-reminder>', { uuid: 'ask' }),
    assistant('msg_1', [{ type: 'thinking', thinking: 'I look at the test first.', signature: 'abc' }]),
    assistant('msg_1', [{ type: 'text', text: 'I read the test and the source.' }]),
    // Two parallel calls: their results are branches of the calls.
    assistant('msg_1', [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: '/p/harbour.test.ts' } }], { uuid: 'call-1' }),
    assistant('msg_1', [{ type: 'tool_use', id: 'toolu_2', name: 'Bash', input: { command: 'npm test' } }], { uuid: 'call-2' }),
    user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'expect(lamps).toBe(9)' }], { parentUuid: 'call-1' }),
    user([{ type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: [{ type: 'text', text: 'exit 1: 8 is not 9' }] }], { parentUuid: 'call-2' }),
    assistant('msg_2', [{ type: 'text', text: 'The lamp count is **8**, the test wants 9.' }], { uuid: 'told' }),
    '{"parentUuid":"told","type":"user","message":{"role":"us',
    // The user went back to this message and asked differently.
    user('Delete the test.', { parentUuid: 'told', uuid: 'left' }),
    assistant('msg_3', [{ type: 'text', text: 'Deleted.' }], { parentUuid: 'left' }),
    user([{ type: 'text', text: 'Mend the source.' }], { parentUuid: 'told', uuid: 'again' }),
    line('assistant', { id: 'msg_9', role: 'assistant', content: [{ type: 'text', text: 'Sidechain.' }] }, { isSidechain: true, parentUuid: 'again' }),
    assistant('msg_4', [{ type: 'text', text: 'Mended: it counts from one now.' }], { parentUuid: 'again' }),
    { type: 'ai-title', aiTitle: 'Harbour test', sessionId: claudeId },
  ];
  put(join(folder, `${claudeId}.jsonl`), jsonl(lines));
  utimesSync(join(folder, `${claudeId}.jsonl`), new Date('2026-03-04T10:00:00Z'), new Date('2026-03-04T10:00:00Z'));
  // A subagent in the format of older versions, and a symbolic link, which must not be followed.
  put(join(folder, 'agent-a1.jsonl'), jsonl([user('Do the part.')]));
  symlinkSync('/etc/passwd', join(folder, '22222222-1111-4222-8333-0123456789ab.jsonl'));
  put(join(root, 'CLAUDE.md'), '# How I like it\n\nShort sentences.\n');
  put(join(project, 'CLAUDE.md'), 'Run `make check` before you finish.\n');
  put(
    join(home, '.claude.json'),
    JSON.stringify({
      numStartups: 4,
      mcpServers: { Lamps: { type: 'stdio', command: process.execPath, args: ['-e', lampServer], env: { LAMP_KEY: 'sk-live-abcdefgh12345678' } } },
      projects: {
        [project]: {
          allowedTools: [],
          mcpServers: { tracker: { type: 'http', url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer tok123456' } } },
        },
      },
    }),
  );
}

/** @param home home folder of the user @param project an existing folder */
export function plantCodex(home: string, project: string): void {
  const root = join(home, '.codex');
  const at = (second: number): string => new Date(Date.UTC(2026, 4, 6, 7, 0, second)).toISOString();
  const item = (second: number, payload: object): object => ({ timestamp: at(second), type: 'response_item', payload });
  const event = (second: number, payload: object): object => ({ timestamp: at(second), type: 'event_msg', payload });
  const message = (role: string, text: string): object => ({
    type: 'message',
    role,
    content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }],
  });
  const meta = (id: string, more = {}): object => ({
    timestamp: at(0),
    type: 'session_meta',
    payload: { id, timestamp: at(0), cwd: project, originator: 'codex_cli_rs', cli_version: '0.146.0', instructions: null, source: 'cli', ...more },
  });
  const lines = [
    meta(codexId),
    item(0, message('user', '# AGENTS.md instructions for /p\n\n<INSTRUCTIONS>\nBe short.\n</INSTRUCTIONS>')),
    item(0, message('user', '<environment_context>\n  <cwd>/p</cwd>\n</environment_context>')),
    item(1, message('user', 'Light the beacon.')),
    event(1, { type: 'user_message', message: 'Light the beacon.', images: [] }),
    { timestamp: at(1), type: 'turn_context', payload: { cwd: project, approval_policy: 'on-request', model: 'gpt-5-codex' } },
    item(2, { type: 'reasoning', summary: [{ type: 'summary_text', text: '**Looking** for the beacon' }], content: null, encrypted_content: 'gAAAA' }),
    item(3, { type: 'function_call', name: 'shell', arguments: '{"command":["ls","-a"]}', call_id: 'call_1' }),
    item(4, {
      type: 'function_call_output',
      call_id: 'call_1',
      output: JSON.stringify({ output: 'beacon.txt\n', metadata: { exit_code: 0, duration_seconds: 0.1 } }),
    }),
    'not json at all',
    item(5, { type: 'custom_tool_call', call_id: 'call_2', name: 'apply_patch', input: '*** Begin Patch\n*** End Patch' }),
    item(6, { type: 'custom_tool_call_output', call_id: 'call_2', output: 'Exit code: 1\nOutput:\nno such file' }),
    event(7, { type: 'agent_message', message: 'The beacon is lit.' }),
    item(7, message('assistant', 'The beacon is lit.')),
    event(7, { type: 'token_count', info: null }),
    item(8, message('user', 'Put it out again.')),
    event(8, { type: 'user_message', message: 'Put it out again.' }),
    item(9, { type: 'function_call', name: 'shell', arguments: '{"command":["rm"]}', call_id: 'call_3' }),
    event(10, { type: 'turn_aborted', reason: 'interrupted' }),
  ];
  put(join(root, 'sessions/2026/05/06', `rollout-2026-05-06T07-00-00-${codexId}.jsonl`), jsonl(lines));
  // Codex compresses sessions after a week.
  const old = jsonl([
    meta(oldCodexId),
    event(1, { type: 'item_completed', item: { type: 'UserMessage', content: [{ type: 'text', text: 'What is packed?' }] } }),
    item(2, message('assistant', 'This is.')),
  ]);
  put(join(root, 'sessions/2026/04/01', `rollout-2026-04-01T07-00-00-${oldCodexId}.jsonl.zst`), zstd(old));
  const task = codexId.replace(/5b$/, '6c');
  put(
    join(root, 'sessions/2026/05/06', `rollout-2026-05-06T07-00-01-${task}.jsonl`),
    jsonl([meta(task, { source: { subagent: 'review' } }), item(1, message('user', 'Review.'))]),
  );
  put(join(root, 'AGENTS.md'), 'Never push.\n');
  put(
    join(root, 'config.toml'),
    'model = "gpt-5-codex"\n\n[mcp_servers.lamps]\ncommand = "npx"\nargs = ["-y", "lamps-mcp", "--key", "sk-live-abcdefgh12345678"]\n\n[mcp_servers.lamps.env]\nTOKEN = "abc"\n\n[mcp_servers.off]\ncommand = "x"\nenabled = false\n',
  );
}

/** @param home home folder of the user @param project an existing folder @param isDatabase the format since 1.2 */
export function plantOpencode(home: string, project: string, isDatabase = false): void {
  const root = join(home, '.local/share/opencode');
  const time = { created: Date.UTC(2026, 5, 7, 8), updated: Date.UTC(2026, 5, 7, 9) };
  const messages = [
    { id: 'msg_001', role: 'user', time: { created: time.created }, parts: [
      { id: 'prt_001', type: 'text', text: 'Which tide is it?' },
      { id: 'prt_002', type: 'text', text: 'Called the Read tool', synthetic: true },
      { id: 'prt_003', type: 'file', mime: 'text/plain', filename: 'tides.txt', url: 'data:text/plain;base64,AA==' },
    ] },
    { id: 'msg_002', role: 'assistant', modelID: 'big-pickle', providerID: 'opencode', time: { created: time.created + 1000 }, parts: [
      { id: 'prt_004', type: 'step-start' },
      { id: 'prt_005', type: 'reasoning', text: 'The table says.' },
      { id: 'prt_006', type: 'tool', callID: 'call_a', tool: 'read', state: { status: 'completed', input: { filePath: 'tides.txt' }, output: 'ebb', title: 'tides.txt', time: { start: time.created + 1500, end: time.created + 1700 } } },
      { id: 'prt_007', type: 'tool', callID: 'call_b', tool: 'bash', state: { status: 'error', input: { command: 'tide' }, error: 'not found', time: { start: time.created + 1800, end: time.created + 1900 } } },
      { id: 'prt_008', type: 'text', text: 'It is ebb.' },
    ] },
  ]; // prettier-ignore
  if (isDatabase) {
    mkdirSync(root, { recursive: true });
    const quote = (value: unknown): string => `'${(typeof value === 'string' ? value : JSON.stringify(value)).replaceAll("'", "''")}'`;
    const sql = [
      'CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, title TEXT, version TEXT, time_created INTEGER, time_updated INTEGER);',
      'CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);',
      'CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);',
      `INSERT INTO session VALUES (${quote(opencodeId)}, 'p', NULL, 's', ${quote(project)}, 'Tides', '1.17.0', ${time.created}, ${time.updated});`,
      ...messages.flatMap(({ id, parts, ...data }) => [
        `INSERT INTO message VALUES (${quote(id)}, ${quote(opencodeId)}, ${data.time.created}, 0, ${quote(data)});`,
        ...parts.map(({ id: partId, ...part }) => `INSERT INTO part VALUES (${quote(partId)}, ${quote(id)}, ${quote(opencodeId)}, 0, 0, ${quote(part)});`),
      ]),
    ].join('\n');
    execFileSync('sqlite3', [join(root, 'opencode.db')], { input: sql });
    return;
  }
  const storage = join(root, 'storage');
  put(
    join(storage, 'session/abc', `${opencodeId}.json`),
    JSON.stringify({ id: opencodeId, version: '1.0.1', projectID: 'abc', directory: project, title: 'Tides', time }),
  );
  put(join(storage, 'session/abc/ses_child.json'), JSON.stringify({ id: 'ses_child', parentID: opencodeId, directory: project, title: 'Task', time }));
  for (const { parts, ...message } of messages) {
    put(join(storage, 'message', opencodeId, `${message.id}.json`), JSON.stringify({ sessionID: opencodeId, ...message }));
    for (const part of parts)
      put(join(storage, 'part', message.id, `${part.id}.json`), JSON.stringify({ sessionID: opencodeId, messageID: message.id, ...part }));
  }
  put(join(storage, 'part/msg_002/prt_009.json'), '{"id":"prt_009","type":"te');
  put(
    join(home, '.config/opencode/opencode.jsonc'),
    '{\n  // servers\n  "mcp": {\n    "lamps": { "type": "local", "command": ["npx", "lamps"], "environment": { "KEY": "v" } },\n    "far": { "type": "remote", "url": "https://mcp.example/mcp", },\n  },\n}\n',
  );
}

const lampServer = `
const lines = require('node:readline').createInterface({ input: process.stdin });
const tools = [{ name: 'light', description: 'Lights a lamp.', inputSchema: { type: 'object', properties: {} } }];
lines.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === 'initialize' ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'lamps', version: '1' } }
    : method === 'tools/list' ? { tools } : {};
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
});`;
