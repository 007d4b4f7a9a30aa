// Answers what plugins ask a model beside the conversation by what was recorded of that.
import { sha256 } from 'agent-harness/lib/hash';
import { stableJson } from 'agent-harness/lib/values';
import type { ModelRequest } from 'agent-harness/plugins/models';
import type { PluginAsk } from './record-types.ts';

/** Request → places of its answers in the record, in their order. */
export type AnsweredRequests = Readonly<Record<string, readonly number[]>>;

export interface PluginAnswers {
  /** `undefined` where the record has none. */
  answerTo(request: ModelRequest): PluginAsk | undefined;
  /** Of all that was answered so far. Live. */
  readonly known: AnsweredRequests;
  /** Who asked what the record has no answer for: `critic (critic)`. Live. */
  readonly unanswered: readonly string[];
}

/** Which request it is. The marks between which a plugin puts what others wrote are new ones each time. */
export function fingerprintOf({ system, messages, purpose, plugin = '' }: ModelRequest): string {
  const text = stableJson({ system, messages, purpose, plugin });
  return sha256(text.replace(/==== [\w-]{12} ====/g, '====')).slice(0, 32);
}

/**
 * @param before what was answered where nothing is changed; left out in that run: then the record has whatever was asked then at the same place, since
 * what a plugin knows today may be worded otherwise than it was
 */
export function createPluginAnswers(pluginAsks: readonly PluginAsk[], before?: AnsweredRequests): PluginAnswers {
  const used = new Set<number>();
  const known: Record<string, number[]> = {};
  const unanswered: string[] = [];
  const find = (is: (one: PluginAsk) => boolean): number | undefined => {
    const at = pluginAsks.findIndex(is);
    return at < 0 ? undefined : at;
  };
  const unused = (is: (one: PluginAsk) => boolean): number | undefined => find((one) => !used.has(pluginAsks.indexOf(one)) && is(one));

  function placeOf(asked: string, { purpose, plugin = '' }: ModelRequest): number | undefined {
    const times = known[asked]?.length ?? 0;
    const isSame = (one: PluginAsk): boolean => one.asked === asked;
    const isOfKind = (one: PluginAsk): boolean => one.purpose === purpose && one.plugin === plugin;
    return before?.[asked]?.[times] ?? unused(isSame) ?? known[asked]?.at(-1) ?? find(isSame) ?? (before ? undefined : unused(isOfKind));
  }

  return {
    known,
    unanswered,
    answerTo(request) {
      const asked = fingerprintOf(request);
      const at = placeOf(asked, request);
      if (at === undefined) {
        unanswered.push(`${request.plugin ?? ''} (${request.purpose})`);
        return undefined;
      }
      used.add(at);
      (known[asked] ??= []).push(at);
      return pluginAsks[at];
    },
  };
}
