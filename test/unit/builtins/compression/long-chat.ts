// Scripted replies of a long conversation, and measurements of its requests.
import type { HarnessOptions, Script, ScriptedRequest } from '../../../helpers/in-process.ts';
import { ownTool } from '../../plugins/agent/agent-bench.ts';

export const userFact = 'the release is called Heron and ships on the 14th of May';
export const toolFact = 'staging database answers at db-quartz.internal port 6543';

export const logTool = ownTool('read_log', ({ page }: { page: number }) => logPage(page));

function logPage(page: number): string {
  const rows = Array.from({ length: 12 }, (_, row) => `row ${page * 12 + row}: request served in ${(page * 37 + row * 11) % 90} ms, status 200`);
  return [...(page === 5 ? [toolFact] : []), `page ${page} of the log`, ...rows].join('\n');
}

/** Calls `read_log` for the given number of rounds, then ends. Counts four characters per token. */
export function roundsScript(rounds: number): Script {
  let round = 0;
  return ({ body }) => {
    round++;
    const usage = { input: Math.round(JSON.stringify(body).length / 4), output: 30 };
    if (round > rounds) return { text: 'All pages are read.', usage };
    return {
      text: round % 10 === 0 ? `Page ${round} looks as the others do.` : '',
      toolCalls: [{ id: `call_p${round}`, name: 'read_log', args: { page: round } }],
      usage,
    };
  };
}

export const quiet: Pick<HarnessOptions, 'builtins'> = { builtins: ['model-chat-completions', 'model-messages', 'artifacts', 'elision', 'compression'] };

/** Share of each request that the next one starts with. Compares like a provider cache: tools first, without the closing bracket. */
export function stability(requests: readonly ScriptedRequest[]): number[] {
  const prompts = requests.map(
    ({ body }) => JSON.stringify(body.tools ?? []) + JSON.stringify(body.system ?? '') + JSON.stringify(unmarked(body.messages)).slice(0, -1),
  );
  return prompts.slice(1).map((prompt, index) => {
    const before = prompts[index] ?? '';
    let same = 0;
    while (same < before.length && before[same] === prompt[same]) same++;
    return same / before.length;
  });
}

/** Removes cache annotations, which a provider does not compare. */
function unmarked(messages: unknown): unknown {
  return JSON.parse(JSON.stringify(messages), (key, value: unknown) => (key === 'cache_control' ? undefined : value));
}

export function unpaired({ body, wire }: ScriptedRequest): string[] {
  return wire === 'messages' ? unpairedBlocks(body.messages) : unpairedMessages(body.messages);
}

function unpairedMessages(messages: any[]): string[] {
  const faults: string[] = [];
  messages.forEach((message, at) => {
    const ids: string[] = (message.tool_calls ?? []).map((call: any) => call.id);
    ids.forEach((id, place) => {
      if (messages[at + 1 + place]?.tool_call_id !== id) faults.push(id);
    });
    if (message.role !== 'tool') return;
    const asked = messages.slice(0, at).findLast((one: any) => one.role !== 'tool');
    if (!asked?.tool_calls?.some((call: any) => call.id === message.tool_call_id)) faults.push(message.tool_call_id);
  });
  return faults;
}

function unpairedBlocks(messages: any[]): string[] {
  const faults: string[] = [];
  messages.forEach((message, at) => {
    const asked: string[] = message.content.filter((block: any) => block.type === 'tool_use').map((block: any) => block.id);
    const next: any[] = messages[at + 1]?.content ?? [];
    const answered: string[] = next.filter((block) => block.type === 'tool_result').map((block) => block.tool_use_id);
    if (asked.join() !== answered.join()) faults.push(...asked, ...answered);
    if (at > 0 && messages[at - 1].role === message.role) faults.push(`role ${at}`);
  });
  return faults;
}

/** Seeded random numbers from 0 to 1 (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const words = 'table index cache shard quota replica ledger socket branch commit filter queue'.split(' ');
export function textOf(random: () => number, chars: number): string {
  let text = '';
  while (text.length < chars) text += `${words[Math.floor(random() * words.length)]} ${Math.floor(random() * 1e6)}${random() < 0.1 ? '\n' : ' '}`;
  return text;
}
