// Runs a silent turn without a model at startup, so that the code of a turn is compiled before the first message.
import type { Emitter, Hooks } from 'agent-harness/kernel';
import type { TurnPorts } from 'agent-harness/plugins/agent';
import { createConversation } from 'agent-harness/transcript';
import { createLiveTurn } from './live-turn.ts';
import { runTurn, type LoopDeps } from './turn-loop.ts';

const text = 'Hello!';
const usage = { input: 0, output: 0, cached: 0 };
/** Waterfall hooks of a turn, which return their input; other hooks return nothing. */
const passing: ReadonlySet<keyof Hooks> = new Set(['prompt.build', 'model.request', 'turn.finalize']);

/** Runs the warm-up turn, which runs no taps, emits no events, and neither writes nor sends anything. Never rejects. */
export async function warmUp(loop: LoopDeps): Promise<void> {
  const { storage, clock } = loop;
  const emitter: TurnPorts['emitter'] = {
    emit: () => undefined,
    call: ((hook: keyof Hooks, [first]: readonly unknown[]) => Promise.resolve(passing.has(hook) ? first : undefined)) as Emitter['call'],
  };
  const models: TurnPorts['models'] = {
    ...loop.models,
    stream({ model = '' }, call) {
      call.text(text);
      return Promise.resolve({ text, toolCalls: [], finish: 'stop', usage, model });
    },
  };
  const conversation = createConversation();
  const ids = { chatId: storage.createId('chat'), turnId: storage.createId('turn'), messageId: storage.createId('msg') };
  conversation.take('message_accepted', { ...ids, text });
  const start = { ...ids, text, workspaceRoot: '', chat: {}, kept: () => Promise.resolve() };
  await runTurn(createLiveTurn(start, conversation, new AbortController().signal, emitter, clock.now()), { ...loop, emitter, models });
}
