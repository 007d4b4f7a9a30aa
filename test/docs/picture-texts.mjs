// Captures the examples as text: command line, plain lines, terminal and editor.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/** @returns {Promise<Record<string, string>>} texts by the names used in the guides */
export async function plainly({ app, workspace, environment, server }) {
  const session = async (...argv) => `$ app ${argv.map((word) => (/[^\w./:=-]/.test(word) ? `'${word}'` : word)).join(' ')}\n${await app(...argv)}`;
  const told = {
    'cli-tides': await session('tides', 'Bergen'),
    'cli-view': await session('view', 'shapes'),
    'cli-tide-table': await session('view', 'tide-table', 'harbour=Hull', 'days=3'),
    'cli-reading-list': await session('view', 'reading-list'),
    'cli-doctor': `$ app doctor\n…\n${(await app('doctor')).split('\n').find((line) => line.includes('room for charts'))}\n…`,
    'http-hello': `$ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3001/api/hello?name=Ada\n${JSON.stringify((await server.call('GET', '/api/hello?name=Ada')).body)}`,
    'http-status': `$ curl -H "Authorization: Bearer $TOKEN" http://127.0.0.1:3001/api/status\n{ …, "shipsInHarbour": ${(await server.call('GET', '/api/status')).body.shipsInHarbour}, … }`,
    'no-passwords': await refusal(server),
    'tool-family': `$ app run '/call miles_to_km {"value": 26.2}'\n${answerOf(await app('run', '/call miles_to_km {"value": 26.2}'))}`,
  };
  for (const [name, line, said] of lines) told[`plain-${name}`] = await plainChat(line, said, workspace, environment);
  return told;
}

const lines = [
  ['tool', '/call say_hello {"name": "Ada"}'],
  ['result-view', '/call list_ships {}'],
  ['chat-note', '/bell'],
  ['guard-shell', 'run `rm -rf old-sails`'],
  ['reading-list', '/view reading-list'],
  ['shapes', '/view shapes'],
  ['slash-command', '/crew'],
  ['turn-count', '/turns'],
  ['service', '/tide'],
  ['tide-table', '/view tide-table harbour=Hull days=3'],
  ['own-result', '/call machine_facts {}'],
  ['ask-to-push', '/call run_command {"command": "git push"}', 'no'],
  ['marks', '/mark where the wind turned'],
  ['deadlines', '/call set_deadline {"what": "Paint the hull", "due": "2031-05-01T12:00:00Z"}'],
];

const answers = {
  tool: /Hello, Ada!/,
  'result-view': /Fram/,
  'chat-note': /The bell rang/,
  'guard-shell': /not allowed here[^]*message on\./,
  'reading-list': /long wind/,
  shapes: /Rough sea/,
  'slash-command': /speeds are told/,
  'turn-count': /so far/,
  service: /High tide/,
  marks: /Mark: where/,
  deadlines: /told at/,
  'tide-table': /Brest/,
  'own-result': /Memory/,
  'ask-to-push': /git push[^]*(?:y approve|Approve it)/,
};

const withoutMachine = (text) => {
  const values = { Name: '"lighthouse"', Memory: '16', 'Free memory': '9.5', Load: '0.4', 'Up for': '31' };
  return text.replace(/("fact":"([\w ]+)","value":)("[^"]*"|[\d.]+)/g, (_whole, head, fact) => head + values[fact]);
};

const answerOf = (text) => text.split('\n').filter((line) => !/^(?:New chat|info |[→✓] )/.test(line)).join('\n');

async function refusal(server) {
  const { status, body } = await server.call('POST', '/api/message', { text: 'My password: hunter2' });
  return `POST /api/message { "text": "My password: hunter2" }\n${status} ${JSON.stringify(body.error, ['code', 'message'])}`;
}

async function plainChat(line, said, workspace, environment) {
  const child = spawn(process.execPath, [join(root, 'dist/main.mjs'), 'chat', '--plain', '--new'], {
    cwd: workspace,
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (said !== undefined && output.includes('Approve it?') && !child.stdin.writableEnded) child.stdin.end(`${said}\n`);
  });
  if (said === undefined) child.stdin.end(`${line}\n`);
  else child.stdin.write(`${line}\n`);
  await once(child, 'close');
  return withoutMachine(output);
}

export async function inTerminal({ helpers, workspace, environment }) {
  const { startInTerminal } = await helpers('terminal');
  const told = {};
  for (const [name, line] of lines) {
    const terminal = startInTerminal(['chat', '--new'], { environment, folder: workspace, columns: 84, rows: 44 });
    try {
      await terminal.shows(/\/ commands/, 20_000);
      terminal.type(line);
      await terminal.until('the line', () => terminal.screen().join('').replaceAll(/\s/g, '').includes(line.slice(-12).replaceAll(/\s/g, '')), 20_000);
      terminal.type('\r');
      await terminal.until('the answer', () => answers[name].test(terminal.scrolled().join('\n')), 30_000);
      told[`terminal-${name}`] = withoutMachine(terminal.scrolled().join('\n'));
    } finally {
      terminal.kill();
      await terminal.ended;
    }
  }
  return told;
}


export async function inEditor({ helpers, home, workspace, environment }) {
  const { startEditor } = await helpers('acp-editor');
  const reject = ({ params }) => ({ outcome: { outcome: 'selected', optionId: params.options.find(({ kind }) => kind === 'reject_once').optionId } });
  const editor = startEditor({ home, workspace, environment, answer: reject });
  const told = {};
  try {
    await editor.initialize();
    for (const [name, line] of lines) {
      const session = await editor.newSession();
      await editor.prompt(session, line);
      const asked = editor.received.filter(({ method, params }) => method === 'session/request_permission' && params.sessionId === session);
      told[`editor-${name}`] = withoutMachine([...asked.map(questionOf), wordsOf(editor.updates(session))].join('\n'));
    }
  } finally {
    await editor.end();
  }
  return told;
}

function questionOf({ params: { toolCall, options } }) {
  const texts = (toolCall.content ?? []).flatMap((one) => one.content?.text ?? []);
  return `[permission: ${toolCall.title}]\n${texts.join('\n')}\n${options.map(({ name }) => `[${name}]`).join(' ')}\n`;
}

function wordsOf(updates) {
  const said = [];
  for (const { sessionUpdate, content, title, status, rawOutput } of updates) {
    const texts = (Array.isArray(content) ? content : content === undefined ? [] : [content]).flatMap((one) => one.text ?? one.content?.text ?? []);
    if (sessionUpdate === 'agent_message_chunk') said.push(...texts);
    else if (sessionUpdate === 'tool_call') said.push(`\n[tool: ${title}]\n`);
    else if (sessionUpdate === 'tool_call_update' && (status === 'completed' || status === 'failed')) said.push(texts.length > 0 ? `${texts.join('\n')}\n` : typeof rawOutput === 'string' ? `${rawOutput}\n` : '');
  }
  return said.join('').replace(/(?<=[^\n`])(?=```\n)/g, '\n');
}
