// Determines the origin of a call's output from the declarations of its tool.
import { oneLine } from '#lib/text';
import type { ToolCall } from 'agent-harness/plugins/agent';
import { isSecretFile } from './secret-files.ts';
import type { TextOrigin, TextOriginKind } from './contract.ts';

/** A call of a running turn, or from the journal. */
export interface ReadCall {
  readonly tool: Pick<ToolCall['tool'], 'name' | 'traits' | 'effects' | 'readsWorkspace'> | undefined;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly isOutside: boolean;
  readonly turnId: string;
  readonly callId: string;
}

const longestRef = 160;

export function originOf(call: ReadCall): TextOrigin {
  const kind = kindOf(call);
  const { turnId, callId, isOutside } = call;
  return { kind, ref: refOf(call, kind), turnId, callId, ...(isOutside && kind !== 'secret' ? { isOutside } : {}) };
}

/** Returns the secrets file that a call names; `undefined` if it names none. */
export function secretFileOf(args: ReadCall['args']): string | undefined {
  return Object.values(args)
    .filter((value) => typeof value === 'string')
    .flatMap((value) => value.split(/[\s"'`=;|&<>(){}$,]+/))
    .find((word) => word !== '' && word.length < 300 && isSecretFile(word));
}

function kindOf({ tool, args, isOutside }: ReadCall): TextOriginKind {
  const effects = tool?.effects ?? [];
  const traits = tool?.traits ?? [];
  if (tool?.readsWorkspace === true && secretFileOf(args) !== undefined) return 'secret';
  if (traits.includes('reads_people')) return 'teammate';
  if (traits.includes('reads_web') && isOutside) return 'web';
  if (traits.includes('lasting')) return 'memory';
  if (effects.some((effect) => effect === 'network' || effect === 'external')) return 'service';
  if (tool?.readsWorkspace === true || effects.includes('execute') || !isOutside) return 'workspace';
  return 'task';
}

function refOf({ name, args }: ReadCall, kind: TextOriginKind): string {
  if (kind === 'secret') return secretFileOf(args) ?? name;
  const about = ['url', 'path', 'uri', 'query', 'command', 'key', 'pattern', 'goal'].map((field) => args[field]).find((value) => typeof value === 'string');
  if (about === undefined || about === '') return name;
  return oneLine((kind === 'web' && 'url' in args) || (kind === 'workspace' && 'path' in args) ? about : `${name} ${about}`, longestRef);
}
