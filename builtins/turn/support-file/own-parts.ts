// Builds the previews of each section of a support bundle: those of the turn, and those beside it.
import { release } from 'node:os';
import type { TurnTest } from 'agent-harness/builtins/turn/replay';
import type { SupportedTurn } from 'agent-harness/builtins/turn/support-file';
import type { Services } from 'agent-harness/kernel';
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import type { ownParts, turnParts } from './part-names.ts';

/** Faults within this time before the turn may be related. Milliseconds. */
const before = 10 * 60_000;

type Readers = Readonly<Record<keyof typeof ownParts, (turn: SupportedTurn) => unknown>>;

export function readersOf({ kernel, product, eventLog }: Pick<Services, 'eventLog' | 'kernel' | 'product'>): Readers {
  return {
    versions: () => ({ [product.name]: product.version, node: process.versions.node, system: `${process.platform} ${release()} ${process.arch}` }),
    plugins: () =>
      kernel.report().plugins.map(({ name, origin, state, code, reason, isolation, warnings }) => ({
        ...{ name, origin, state },
        ...(code === undefined ? {} : { code }),
        ...(reason === undefined ? {} : { reason }),
        ...(isolation === undefined ? {} : { isolation }),
        ...(warnings.length > 0 ? { warnings } : {}),
      })),
    settings: () =>
      Object.fromEntries(
        kernel
          .fields()
          .filter(({ isSet, source }) => isSet || source !== 'default')
          .map(({ key, value, source }) => [key, value === undefined ? `(a secret, ${source})` : { value, source }]),
      ),
    faults: (turn) =>
      eventLog
        .newest()
        .map(({ json }) => jsonOf(json))
        .filter((event) => isOfTime(event, turn)),
  };
}

function isOfTime(event: unknown, { chatId, startedAt, endedAt }: SupportedTurn): boolean {
  if (!isRecord(event) || event['kind'] !== 'error') return false;
  // Events of other chats are excluded.
  if (event['chatId'] !== undefined && event['chatId'] !== chatId) return false;
  const at = Date.parse(String(event['at']));
  return at >= startedAt - before && at <= endedAt;
}

/** @param whole with all of its parts */
export function partsOfTurn({ record, before: earlier, expected }: TurnTest): Readonly<Record<keyof typeof turnParts, unknown>> {
  return {
    results: expected.filter(({ kind }) => kind === 'tool_result' || kind === 'subtask_tool' || kind === 'tool_progress'),
    requests: { texts: record.texts, said: record.asks.flatMap(({ messages }) => messages.filter((one) => isRecord(one))) },
    earlier: earlier.filter(({ turnId }) => turnId !== record.turnId),
  };
}
