// `node test/bench/long-turn.mjs`: runs one turn of 300 rounds in a small context on the built server. Measures the number of
// compressions, the share of each request that a provider's cache would hit, the request sizes, whether facts of the first rounds
// are still present in the last one, and the cost of a round. `--json` prints JSON.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call, freePort, median, readEvents, startServer } from './client.mjs';

const rounds = 300;
const contextTokens = 36_000;
const userFact = 'the release is called Heron and ships on the 14th of May';
const toolFact = 'staging database answers at db-quartz.internal port 6543';
const stableFrom = 0.98;

const place = mkdtempSync(join(tmpdir(), 'long-turn-'));
const [home, workspace] = [join(place, 'home'), join(place, 'work')];
for (const folder of [home, workspace]) mkdirSync(folder);
for (let page = 1; page <= rounds; page++) writeFileSync(join(workspace, `page-${page}.txt`), pageText(page));

function pageText(page) {
  const rows = Array.from({ length: 12 }, (_, row) => `row ${page * 12 + row}: request served in ${(page * 37 + row * 11) % 90} ms, status 200`);
  return [...(page === 5 ? [toolFact] : []), `page ${page} of the log`, ...rows, ''].join('\n');
}

/** Reads one page per round, then ends. Counts four characters as one token. */
function startModel(requests) {
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const text = Buffer.concat(pieces).toString();
    requests.push({ text, at: performance.now() });
    const round = requests.length;
    const delta =
      round > rounds
        ? { content: 'All pages are read.' }
        : {
            tool_calls: [
              { index: 0, id: `call_${round}`, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path: `page-${round}.txt` }) } },
            ],
          };
    const chunks = [
      { choices: [{ index: 0, delta, finish_reason: null }] },
      { choices: [{ index: 0, delta: {}, finish_reason: round > rounds ? 'stop' : 'tool_calls' }] },
      { choices: [], usage: { prompt_tokens: Math.round(text.length / 4), completion_tokens: 30 } },
    ];
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** Builds the prompt as a provider's cache sees it: tools first, then the messages without the closing bracket. */
function promptOf({ text }) {
  const { tools = [], messages } = JSON.parse(text);
  return JSON.stringify(tools) + JSON.stringify(messages).slice(0, -1);
}

function sharedPart(before, after) {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same++;
  return same / before.length;
}

async function playTurn(server, requests) {
  const compressions = [];
  let end;
  await readEvents(`${server.url}/api/stream?chatId=all`, {
    token: server.token,
    onOpen: () =>
      void call(`${server.url}/api/message`, { method: 'POST', token: server.token, body: { text: `Read all pages. Keep in mind that ${userFact}.` } }),
    onEvent(event) {
      if (event.kind === 'context_compressed') compressions.push(event);
      if (event.kind === 'turn_end') end = event;
      return event.kind === 'turn_end';
    },
  });
  if (end?.reason !== 'done') throw new Error(`the turn ended with ${JSON.stringify(end)}`);
  return { compressions, end, requests };
}

function measure({ compressions, end, requests }) {
  const prompts = requests.map(promptOf);
  const shares = prompts.slice(1).map((prompt, index) => sharedPart(prompts[index], prompt));
  const between = [...shares].sort((left, right) => left - right).slice(compressions.length);
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const percent = (share) => Number((share * 100).toFixed(2));
  const pauses = requests.slice(1).map(({ at }, index) => at - requests[index].at);
  const last = requests[rounds - 1].text;
  return [
    ['rounds of the turn', end.rounds, rounds + 1],
    ['compressions', compressions.length, '≥ 4'],
    ['largest share of the context before one, %', percent(Math.max(...compressions.map(({ before }) => before / contextTokens))), '65 to 70'],
    ['largest share of the context after one, %', percent(Math.max(...compressions.map(({ after }) => after / contextTokens))), '≤ 40'],
    ['largest request, % of the context (characters by four)', percent(Math.max(...requests.map(({ text }) => text.length / 4 / contextTokens))), '≤ 70'],
    ['prefix stability outside of compressions, % (mean)', percent(mean(between)), '≥ 98'],
    ['… the worst of them, %', percent(Math.min(...between)), '≥ 98'],
    ['requests below 98 %', shares.filter((share) => share < stableFrom).length, compressions.length],
    ['the wish of round 1 is in the last request', last.includes(userFact), true],
    ['the fact that a tool told in round 5 is in the last request', last.includes(toolFact), true],
    ['from request to request, ms (median)', Number(median(pauses).toFixed(2)), ''],
    ['… with a compression between, ms (largest pause)', Number(Math.max(...pauses).toFixed(2)), ''],
  ];
}

const requests = [];
const model = await startModel(requests);
try {
  const environment = {
    PORT: String(await freePort()),
    AGENT_API_BASE_URL: `http://127.0.0.1:${model.address().port}/v1`,
    AGENT_API_KEY: 'bench',
    AGENT_CONTEXT_TOKENS: String(contextTokens),
    AGENT_MAX_ROUNDS: String(rounds + 10),
  };
  const server = await startServer({ home, workspace, environment });
  const rows = measure(await playTurn(server, requests).finally(() => server.stop()));
  if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify(rows, null, 1)}\n`);
  else for (const [measured, value, target] of rows) process.stdout.write(`${String(measured).padEnd(62)}  ${String(value).padStart(8)}  ${target}\n`);
} finally {
  model.closeAllConnections();
  model.close();
  rmSync(place, { recursive: true, force: true });
}
