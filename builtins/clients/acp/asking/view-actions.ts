// Collects confirmation and input for a view action in the editor before `/view <name> <action>` is sent to the server.
import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  PermissionOption,
  RequestPermissionResponse,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { Client } from 'agent-harness/client';
import { showHidden } from '#lib/hidden-text';
import { isRecord } from '#lib/values';
import { partWords, quoteWord, readCall, wordsOf, type InputField, type View, type ViewAction, type ViewInput } from 'agent-harness/view';
import { textContent } from '../projection/tool-card.ts';

export interface ViewActions {
  /** Returns the completed line, unchanged if no input is needed; `undefined` if the user declined or the request was cancelled. */
  complete(line: string, signal: AbortSignal): Promise<string | undefined>;
  withdraw(): void;
}

export interface ViewActionsOptions {
  readonly client: Client;
  readonly chatId: string;
  readonly hasForms: boolean;
  tell(update: SessionUpdate): void;
  fill(request: Omit<CreateElicitationRequest, 'sessionId'>, signal: AbortSignal): Promise<CreateElicitationResponse>;
  permit(toolCall: ToolCallUpdate, options: PermissionOption[], signal: AbortSignal): Promise<RequestPermissionResponse>;
}

const [doIt, leaveIt] = ['do', 'leave'];
const yes = '--yes';

export function createViewActions({ client, chatId, hasForms, tell, fill, permit }: ViewActionsOptions): ViewActions {
  let open = new AbortController();

  async function read(name: string, parameters: object): Promise<View> {
    return client.call('GET /api/views/:name', { params: { name }, query: { ...parameters, chatId } });
  }

  /** Requests confirmation as a separate call, so that the editor shows a card for it. */
  async function isWanted({ title = '' }: View, { label, confirm = '' }: ViewAction, signal: AbortSignal): Promise<boolean> {
    const toolCallId = `view-${crypto.randomUUID()}`;
    const call = {
      toolCallId,
      title: showHidden(`${title}: ${label}`),
      kind: 'other' as const,
      status: 'pending' as const,
      content: [textContent(showHidden(confirm))],
    };
    tell({ sessionUpdate: 'tool_call', ...call });
    let isSure = false;
    try {
      const options: PermissionOption[] = [
        { optionId: doIt, name: showHidden(label), kind: 'allow_once' },
        { optionId: leaveIt, name: 'Cancel', kind: 'reject_once' },
      ];
      const { outcome } = await permit(call, options, signal);
      isSure = outcome.outcome === 'selected' && outcome.optionId === doIt;
    } finally {
      tell({ sessionUpdate: 'tool_call_update', toolCallId, status: isSure ? 'completed' : 'failed' });
    }
    return isSure;
  }

  async function filled(input: ViewInput, { label }: ViewAction, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const request = { mode: 'form', message: showHidden(label), requestedSchema: formOf(input) };
    const reply = await fill(request, signal);
    return reply.action === 'accept' ? wordsIn(reply, input) : undefined;
  }

  return {
    async complete(line, given) {
      if (!/^\s*\/view\s/.test(line)) return line;
      const [, name, ...rest] = wordsOf(line);
      const { parameters, call } = partWords(rest);
      if (name === undefined || call.length === 0) return line;
      open = new AbortController();
      const signal = AbortSignal.any([given, open.signal]);
      try {
        const view = await read(name, parameters);
        const found = readCall(view, [...call, yes]);
        if ('problem' in found) return line;
        const { action, input = {} } = found;
        const isAsked = action.confirm !== undefined && !call.includes(yes);
        if (isAsked && !(await isWanted(view, action, signal))) return undefined;
        const more = action.input && hasForms && Object.keys(input).length === 0 ? await filled(action.input, action, signal) : [];
        return more && [line.trim(), ...more, ...(isAsked ? [yes] : [])].join(' ');
      } catch {
        // The server reports invalid and missing values that the editor could not ask for.
        return signal.aborted ? undefined : line;
      }
    },
    withdraw: () => open.abort(),
  };
}

type Form = Extract<CreateElicitationRequest, { readonly mode: 'form' }>['requestedSchema'];

/** Converts an input definition to a form of the protocol. The protocol has no field for format hints. */
function formOf({ properties, required = [] }: ViewInput): Form {
  const fields = Object.entries(properties).map(([name, { format: _, title = name, description, enum: choices, ...field }]): [string, object] => [
    name,
    {
      ...{ ...field, title: showHidden(title) },
      ...(description === undefined ? {} : { description: showHidden(description) }),
      ...(choices ? { enum: choices.map((one) => showHidden(one)) } : {}),
    },
  ]);
  return { type: 'object', properties: Object.fromEntries(fields), required: [...required] } as Form;
}

/** Formats the submitted values in the syntax of typed input. */
function wordsIn(reply: CreateElicitationResponse, { properties }: ViewInput): string[] {
  const content = (reply as { readonly content?: unknown }).content;
  if (!isRecord(content)) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const value = content[name];
    if (typeof value === 'string') return value === '' ? [] : [`${name}=${quoteWord(chosen(value, field))}`];
    return typeof value === 'number' || typeof value === 'boolean' ? [`${name}=${value}`] : [];
  });
}

function chosen(value: string, { enum: choices = [] }: InputField): string {
  return choices.find((one) => showHidden(one) === value) ?? value;
}
