// Reads the failed calls of a turn, and failed calls in its chat shortly before, from the failure log, for support bundles.
import type { SupportPart } from 'agent-harness/builtins/turn/support-file';
import type { Storage } from 'agent-harness/plugins/storage';
import { isRecord, jsonOf } from '#lib/values';

/** Period before the turn that is included, in milliseconds, and the maximum number of lines from that period. */
const before = 10 * 60_000;
const most = 100;

/** @param path path of the log @param flush writes pending lines */
export function failedCalls(path: string, storage: Pick<Storage, 'readText'>, flush: () => Promise<void>): SupportPart {
  return {
    name: 'failedCalls',
    title: 'Failed calls',
    description: 'Entries of failures.jsonl for this chat, from ten minutes before the turn until its end: the tool and the first line of the error.',
    async read({ chatId, startedAt, endedAt }) {
      await flush();
      const lines = ((await storage.readText(path)) ?? '').split('\n').map(jsonOf).filter(isRecord);
      const isOfTime = ({ at, chatId: of }: Record<string, unknown>): boolean => {
        const time = Date.parse(String(at));
        return of === chatId && time >= startedAt - before && time <= endedAt;
      };
      return lines.filter(isOfTime).slice(-most);
    },
  };
}
