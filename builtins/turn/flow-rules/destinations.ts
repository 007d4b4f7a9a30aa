// Where the text of a call would go, by what its tool says of itself.
import type { SteeringFiles } from 'agent-harness/builtins/tools/files';
import { wayFrom } from 'agent-harness/lib/paths';
import { isRecord } from 'agent-harness/lib/values';
import type { ToolCall } from 'agent-harness/plugins/agent';
import { resolve } from 'node:path';

/** `address`: what a request carries that only reads. `external`: what is sent or done elsewhere. `steering`: a file that other programs obey. */
export const destinations = ['address', 'command', 'memory', 'external', 'steering'] as const;
export type Destination = (typeof destinations)[number];

export interface LeavingText {
  readonly text: string;
  /** For the beginning of a sentence. */
  readonly what: string;
  readonly isAddress: boolean;
}

export interface Leaving {
  readonly to: Destination;
  readonly texts: readonly LeavingText[];
  /** Whoever gets the call may read a file that it names. */
  readonly namesFiles: boolean;
  /** The limit because of which some texts are missing, as a sentence. */
  readonly limit?: string;
}

/** Texts of one call, and how deep its objects and lists are nested. */
const most = { texts: 2_000, depth: 64 };

/** What the texts of a call are, and which arguments stay here. */
interface Way extends Pick<Leaving, 'to' | 'namesFiles'> {
  /** For the beginning of a sentence. */
  readonly what: string;
  readonly kept?: readonly string[];
}

/** The strictest destination of a call; nothing for a call whose text stays here and is believed by nobody. */
export function wayOf({ tool, args, turn }: ToolCall, steering: SteeringFiles | undefined): Way | undefined {
  const effects = tool.effects ?? [];
  if (effects.includes('execute')) return { to: 'command', what: 'The command', namesFiles: false };
  if (effects.includes('external')) return { to: 'external', what: 'The call', namesFiles: true };
  if (effects.includes('network') || tool.sendsArguments !== undefined) {
    const kept = typeof tool.sendsArguments === 'object' ? tool.sendsArguments.except : [];
    return { to: 'address', what: 'The call', kept, namesFiles: tool.sendsArguments !== undefined };
  }
  if (!effects.includes('write')) return undefined;
  if (tool.traits.includes('lasting') || tool.traits.includes('knowledge')) return { to: 'memory', what: 'The note', namesFiles: false };
  const path = args['path'];
  if (steering === undefined || typeof path !== 'string') return undefined;
  const isSteering = steering.why(wayFrom(turn.workspaceRoot, resolve(turn.workspaceRoot, path))) !== undefined;
  return isSteering ? { to: 'steering', what: `The file ${path}`, kept: ['path'], namesFiles: false } : undefined;
}

export function leavingOf(call: ToolCall, { to, namesFiles, what, kept = [] }: Way): Leaving {
  const values: LeavingText[] = [];
  const names: LeavingText[] = [];
  let limit: string | undefined;
  const declared = new Set([...Object.keys(propertiesOf(call.tool.input)), ...kept]);

  function collect(value: unknown, name: string, depth: number): void {
    if (depth > most.depth) limit ??= `The call is nested more than ${most.depth} levels deep, so it cannot be searched for secrets.`;
    else if (values.length + names.length >= most.texts) limit ??= `The call has more than ${most.texts} texts, so it cannot be searched for secrets.`;
    else if (typeof value === 'object' && value !== null) collectFields(value, name, depth);
    else if (value !== null && value !== undefined && value !== '')
      values.push(leavingText(name, typeof value === 'string' ? value : JSON.stringify(value), what));
  }

  function collectFields(value: object, name: string, depth: number): void {
    for (const [field, inner] of Object.entries(value)) {
      if (depth === 0 && kept.includes(field)) continue;
      // The model can write text into a name, too, where the tool does not declare it.
      if (!Array.isArray(value) && (depth > 0 || !declared.has(field))) names.push({ text: field, what, isAddress: false });
      collect(inner, Array.isArray(value) ? name : field, depth + 1);
    }
  }

  collect(call.args, '', 0);
  return { to, namesFiles, texts: [...values, ...names], ...(limit === undefined ? {} : { limit }) };
}

function propertiesOf(input: unknown): object {
  return (isRecord(input) && isRecord(input['properties']) && input['properties']) || {};
}

function leavingText(name: string, text: string, what: string): LeavingText {
  if (/^(?:url|uri|href)$/i.test(name) || /^https?:\/\//i.test(text)) return { text, what: 'The address', isAddress: true };
  return { text, what: name === 'query' ? 'The search' : what, isAddress: false };
}
