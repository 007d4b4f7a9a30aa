// Prepares a home folder that the whole distribution has used, for restarts with fewer plugins at the same path.
import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEventStream, type StreamEvent } from '../../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import type { ScriptedModel, ScriptedReply, ScriptedRequest } from '../../../helpers/scripted-model.ts';

export interface Homes {
  readonly home: string;
  readonly workspace: string;
  /** Empties the home and the workspace. */
  empty(): Promise<void>;
  /** Saves the current content for {@link Homes.restore}. */
  keep(): Promise<void>;
  restore(): Promise<void>;
  start(model: ScriptedModel, builtins: readonly string[]): Promise<Harness>;
  remove(): Promise<void>;
}

/** The caller must remove them. */
export async function makeHomes(): Promise<Homes> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'left-out-')));
  const [home, workspace, kept] = [join(folder, 'home'), join(folder, 'work'), join(folder, 'kept')];
  const pairs = [home, workspace].map((path, index) => [path, join(kept, String(index))] as const);
  const empty = async (): Promise<void> => {
    for (const [path] of pairs) {
      await rm(path, { recursive: true, force: true });
      await mkdir(path, { mode: 0o700 });
    }
  };
  return {
    home,
    workspace,
    empty,
    async keep() {
      for (const [path, copy] of pairs) await cp(path, copy, { recursive: true, preserveTimestamps: true });
    },
    async restore() {
      await empty();
      for (const [path, copy] of pairs) await cp(copy, path, { recursive: true, preserveTimestamps: true });
    },
    start: (model, builtins) => startHarness({ home, workspace, builtins, environment: model.environment }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface AnsweredTurn {
  readonly events: readonly StreamEvent[];
  /** Approval requests of the turn, all approved. */
  readonly asked: readonly StreamEvent[];
  readonly turnId: string;
  readonly chatId: string;
  /** Model requests of the turn. */
  readonly told: readonly ScriptedRequest[];
}

/** Whether the request belongs to the turn: requests by plugins have no tools. */
const isOfTurn = ({ body }: ScriptedRequest): boolean => Array.isArray(body.tools) && body.tools.length > 0;

/** Sends a message and approves every request, after its preview if it has one. */
export async function takeTurn(
  harness: Harness,
  model: ScriptedModel,
  replies: readonly ScriptedReply[],
  message: { text: string; chatId?: string },
): Promise<AnsweredTurn> {
  const before = model.requests.length;
  model.push(...replies.map((reply) => ({ when: isOfTurn, ...reply })));
  const stream = await openEventStream(harness);
  const sent = await harness.call('POST', '/api/message', message);
  if (sent.status !== 202) throw new Error(`refused: ${sent.status} ${JSON.stringify(sent.body)}`);
  const { turnId, chatId } = sent.body;
  const asked: StreamEvent[] = [];
  for (;;) {
    const next = await stream.until(
      (event) => (event.kind === 'turn_end' && event['turnId'] === turnId) || (event.kind === 'tool_approval' && !asked.includes(event)),
    );
    if (next.kind === 'turn_end') break;
    asked.push(next);
    const { approvalId, rehearsal } = next;
    if (rehearsal?.state === 'running') await stream.until((event) => event.kind === 'approval_rehearsed' && event['approvalId'] === approvalId);
    const answer = await harness.call('POST', '/api/approve', { approvalId, decision: 'approve', ...(rehearsal ? { rehearsal: rehearsal.id } : {}) });
    if (answer.status !== 200) throw new Error(`the yes was refused: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
  stream.close();
  return { events: stream.events, asked, turnId, chatId, told: model.requests.slice(before).filter(isOfTurn) };
}
