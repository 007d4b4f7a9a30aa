// Stores the data flow rules, each with source, destination and verdict. The user's changes are stored in a file of the home folder.
import { join } from 'node:path';
import { isRecord } from '#lib/values';
import type { TextOrigin } from 'agent-harness/builtins/turn/origins';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import { destinations, type Destination } from './destinations.ts';

/** `outside`: external content from the web, servers, untrusted folders, and tasks that read these. `memory`: a note based on external content. */
export const sources = ['secret', 'outside', 'teammate', 'memory'] as const;
export type Source = (typeof sources)[number];
export const verdicts = ['ask', 'allow', 'deny'] as const;
export type FlowVerdict = (typeof verdicts)[number];

export interface FlowRule {
  readonly from: Source;
  readonly to: Destination;
  readonly then: FlowVerdict;
}

/** The default verdict. */
const usual: FlowVerdict = 'ask';

export interface FlowTable {
  /** Returns all pairs of source and destination, in display order. */
  list(): Promise<readonly FlowRule[]>;
  verdictOf(from: Source, to: Destination): Promise<FlowVerdict>;
  /** Stores a changed rule. Resolves when it is on disk. */
  change(rule: FlowRule): Promise<void>;
}

export function createFlowTable(parts: { readonly storage: Pick<Storage, 'readJson' | 'updateJson'>; readonly product: Pick<Product, 'home'> }): FlowTable {
  const path = join(parts.product.home, 'flow_rules.json');
  let known: Promise<readonly FlowRule[]> | undefined;

  /** Reads the file once, because this process is its only writer while it runs. */
  function changed(): Promise<readonly FlowRule[]> {
    known ??= parts.storage.readJson(path, isRuleFile).then(
      (file) => file?.rules ?? [],
      (fault: unknown) => {
        known = undefined;
        throw fault;
      },
    );
    return known;
  }

  async function verdictOf(from: Source, to: Destination): Promise<FlowVerdict> {
    return (await changed()).find((rule) => rule.from === from && rule.to === to)?.then ?? usual;
  }

  return {
    verdictOf,
    list: async () => Promise.all(sources.flatMap((from) => destinations.map(async (to) => ({ from, to, then: await verdictOf(from, to) })))),
    async change(rule) {
      const edit = (file: RuleFile = { rules: [] }): RuleFile => ({
        rules: [...file.rules.filter(({ from, to }) => from !== rule.from || to !== rule.to), ...(rule.then === usual ? [] : [rule])],
      });
      known = Promise.resolve((await parts.storage.updateJson(path, edit, { shape: isRuleFile })).rules);
    },
  };
}

/** Returns the source of a text; `undefined` for the owner's own text. */
export function sourceOf({ kind, isOutside }: TextOrigin): Source | undefined {
  if (kind === 'secret' || kind === 'teammate') return kind;
  if (isOutside !== true) return undefined;
  return kind === 'memory' ? 'memory' : 'outside';
}

interface RuleFile {
  readonly rules: readonly FlowRule[];
}

function isRuleFile(value: unknown): value is RuleFile {
  const isOneOf = (list: readonly string[], one: unknown): boolean => typeof one === 'string' && list.includes(one);
  return (
    isRecord(value) &&
    Array.isArray(value['rules']) &&
    value['rules'].every(
      (rule: unknown) => isRecord(rule) && isOneOf(sources, rule['from']) && isOneOf(destinations, rule['to']) && isOneOf(verdicts, rule['then']),
    )
  );
}
