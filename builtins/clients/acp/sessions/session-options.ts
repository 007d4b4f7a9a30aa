// Builds the options of a session: approval mode, model and reasoning effort. The approval mode is sent in both forms that the protocol defines.
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { ChatMeta, RequestBody } from 'agent-harness/client';
import type { ModelOffer } from './model-offer.ts';

type Mode = ChatMeta['mode'];
type Effort = NonNullable<ChatMeta['effort']>;

export type SessionChange = Pick<RequestBody<'PATCH /api/chats/:id'>, 'mode' | 'model' | 'effort'>;

export interface SessionOptions {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

export const modeOption = 'mode';
export const modelOption = 'model';
const effortOption = 'effort';
/** Stands for the configured default. */
const usual = 'default';

const modes: readonly { readonly id: Mode; readonly name: string; readonly description: string }[] = [
  { id: 'ask', name: 'Ask', description: 'Asks before actions that cannot be undone.' },
  { id: 'careful', name: 'Careful', description: 'Also asks before each file edit.' },
  { id: 'plan', name: 'Plan', description: 'Only reads until you approve a plan.' },
  { id: 'auto', name: 'Auto', description: 'A judge model approves harmless commands; everything else needs your approval.' },
];

const efforts: readonly { readonly value: Effort; readonly name: string }[] = [
  { value: 'off', name: 'Off' },
  { value: 'low', name: 'Low' },
  { value: 'medium', name: 'Medium' },
  { value: 'high', name: 'High' },
  { value: 'max', name: 'Maximum' },
];

/** Returns the chat update for an option; `undefined` for an invalid value. */
export function changeOf(option: string, value: string): SessionChange | undefined {
  const effort = efforts.find((one) => one.value === value);
  const mode = modes.find(({ id }) => id === value);
  switch (option) {
    case modeOption:
      return mode && { mode: mode.id };
    case effortOption:
      return value === usual ? { effort: null } : effort && { effort: effort.value };
    default:
      // The provider's list may lack a model that works.
      return { model: value === usual ? null : value };
  }
}

export function optionsOf({ mode, model, effort }: Pick<ChatMeta, 'mode' | 'model' | 'effort'>, { models, current }: ModelOffer): SessionOptions {
  const offered = models.map(({ id, name }) => ({ value: id, name: name ?? id }));
  const missing = model === undefined || offered.some(({ value }) => value === model) ? [] : [{ value: model, name: model }];
  return {
    modes: { currentModeId: mode, availableModes: modes.map((one) => ({ ...one })) },
    configOptions: [
      {
        ...{ id: modeOption, name: 'Approvals', category: 'mode', type: 'select', currentValue: mode },
        description: 'Approvals that the agent requests before it acts.',
        options: modes.map(({ id, name, description }) => ({ value: id, name, description })),
      },
      {
        ...{ id: modelOption, name: 'Model', category: 'model', type: 'select', currentValue: model ?? usual },
        description: 'The model of this chat.',
        options: [{ value: usual, name: current === '' ? 'Default' : `Default (${current})` }, ...missing, ...offered],
      },
      {
        ...{ id: effortOption, name: 'Reasoning effort', category: 'thought_level', type: 'select', currentValue: effort ?? usual },
        description: 'The amount of reasoning before an answer.',
        options: [{ value: usual, name: 'Default' }, ...efforts],
      },
    ],
  };
}
