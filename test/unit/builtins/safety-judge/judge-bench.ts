// Starts the real server with the shell, the judge, and one scripted model for both agent and judge.
import { expect } from 'vitest';
import type { Turn } from 'agent-harness/plugins/agent';
import { type EventStream, openEventStream, type StreamEvent } from '../../../helpers/event-stream.ts';
import { type Harness, startHarness } from '../../../helpers/harness.ts';
import { type ScriptedModel, type ScriptedReply, type ScriptedRequest, startScriptedModel } from '../../../helpers/scripted-model.ts';

export interface JudgeBench {
  readonly harness: Harness;
  readonly model: ScriptedModel;
  readonly judged: readonly ScriptedRequest[];
  verdict: ScriptedReply;
  judge(args: Record<string, unknown>, turn?: Partial<Turn>, tool?: object): Promise<boolean>;
  /** Runs one turn in which the model makes these calls in one reply, rejects each approval, and returns all events. */
  turn(calls: readonly { name: string; args: object }[], text?: string): Promise<readonly StreamEvent[]>;
  close(): Promise<void>;
}

const isJudging = (request: ScriptedRequest): boolean => String(request.body.messages[0]?.content).startsWith('You judge');

/** The caller closes the bench. */
export async function openJudgeBench(environment: Record<string, string> = {}, modules: object = {}): Promise<JudgeBench> {
  const judged: ScriptedRequest[] = [];
  const replies: ScriptedReply[] = [];
  const model = await startScriptedModel((request) => {
    if (!isJudging(request)) return replies.shift() ?? { text: 'That is all.' };
    judged.push(request);
    return bench.verdict;
  });
  const harness = await startHarness({
    builtins: ['safety-judge', 'shell', 'model-chat-completions'],
    environment: { ...model.environment, AGENT_SAFETY_JUDGE: '1', AGENT_SANDBOX: 'off', ...environment },
    modules: modules as never,
  });
  const bench: JudgeBench = {
    harness,
    model,
    judged,
    verdict: { text: 'SAFE' },
    async judge(args, turn = {}, tool = {}) {
      const found = harness.kernel.resolve('tools').find('run_command');
      const around = { chatId: 'chat_1', turnId: 'turn_1', workspaceRoot: harness.workspace, isTainted: false, signal: new AbortController().signal, ...turn };
      const verdict = await harness.kernel.emitter.call('approval.judge', [{ callId: 'call_1', tool: { ...found, ...tool }, args, turn: around } as never]);
      return verdict?.verdict === 'approve';
    },
    async turn(calls, text = 'go') {
      const stream = await openEventStream(harness);
      replies.push({ toolCalls: calls });
      expect((await harness.call('POST', '/api/message', { text })).status).toBe(202);
      await rejectAll(harness, stream);
      stream.close();
      return stream.events;
    },
    async close() {
      expect(await harness.close()).toEqual([]);
      await model.close();
    },
  };
  return bench;
}

async function rejectAll(harness: Harness, stream: EventStream): Promise<void> {
  const answered = new Set<unknown>();
  for (;;) {
    const next = await stream.until((event) => event.kind === 'turn_end' || (event.kind === 'tool_approval' && !answered.has(event['approvalId'])));
    if (next.kind === 'turn_end') return;
    answered.add(next['approvalId']);
    await harness.call('POST', '/api/approve', { approvalId: next['approvalId'], decision: 'reject' });
  }
}
