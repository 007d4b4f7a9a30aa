// Shared parts of the MCP tests: a server with the plugin, calls through the tool service, and reference servers from npm.
import '../../../helpers/plain-resolution.ts';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { startHarness, type Harness, type HarnessOptions } from '../../../helpers/harness.ts';
import { runChecked } from '../../../helpers/run-tool.ts';

const packages = fileURLToPath(new URL('../../../../node_modules/@modelcontextprotocol/', import.meta.url));

export const everything = `${packages}server-everything/dist/index.js`;
export const filesystem = `${packages}server-filesystem/dist/index.js`;
export const memory = `${packages}server-memory/dist/index.js`;
export const hostile = fileURLToPath(new URL('./hostile-server.mjs', import.meta.url));

export interface McpHarness extends Harness {
  add(body: object): Promise<{ status: number; body: any }>;
  /** Checks the arguments and runs the tool, as a turn does. */
  run(name: string, args?: object, options?: Partial<ToolContext>): Promise<ToolOutcome>;
  connection(name: string): Promise<{ status: string; toolCount: number; error?: string } | undefined>;
  toolsOf(server: string): string[];
}

export async function startMcp(options: HarnessOptions = {}): Promise<McpHarness> {
  const harness = await startHarness({ builtins: ['mcp'], ...options });
  const tools = harness.kernel.resolve('tools');
  const chat = await harness.kernel.resolve('chats').active();
  return {
    ...harness,
    add: (body) => harness.call('POST', '/api/integrations/mcp', body),
    run: (name, args = {}, context = {}) =>
      runChecked(harness.kernel, tools.check(name, JSON.stringify(args)), { chatId: chat.chatId, turnId: 'turn_1', callId: 'call_1', ...context }),
    async connection(name) {
      const { body } = await harness.call('GET', '/api/integrations');
      return body.connections.find((one: { name: string }) => one.name === name);
    },
    toolsOf: (server) =>
      tools
        .list()
        .filter((row) => row.family === `mcp-${server}`)
        .map((row) => row.name),
  };
}

export async function processesWith(text: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (line.includes(text) && Number(pid) !== process.pid) found.push(Number(pid));
  }
  return found;
}

export async function expectNobodyWith(text: string): Promise<void> {
  await expect.poll(() => processesWith(text), { timeout: 3_000 }).toEqual([]);
}

/** Answers every question with the result of `answerFor` until `stop` is called. */
export function answerQuestions(
  harness: Harness,
  answerFor: (prompt: string, options: readonly string[]) => string,
): { readonly prompts: string[]; stop(): void } {
  const prompts: string[] = [];
  const approvals = harness.kernel.resolve('approvals');
  const listening = harness.kernel.emitter.on('ask_user', ({ askId, prompt, options }) => {
    prompts.push(prompt);
    setImmediate(() => void approvals.answer(askId, answerFor(prompt, options ?? [])));
  });
  return { prompts, stop: () => void listening.dispose() };
}
