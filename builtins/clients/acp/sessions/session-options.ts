// What can be set in a session: how much it asks, and which model answers. As modes, and as options.
import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { ChatMeta } from 'agent-harness/client';
import type { ModelOffer } from './model-offer.ts';

type Mode = ChatMeta['mode'];

export interface SessionOptions {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

export const modeOption = 'mode';
export const modelOption = 'model';
/** Stands for the model of the settings. */
export const usualModel = 'default';

const modes: readonly { readonly id: Mode; readonly name: string; readonly description: string }[] = [
  { id: 'ask', name: 'Ask', description: 'Asks before what cannot be taken back; the rest goes ahead.' },
  { id: 'careful', name: 'Careful', description: 'Asks before each edit of a file, too.' },
  { id: 'plan', name: 'Plan', description: 'Only reads, and ends with a plan for you to approve.' },
  { id: 'auto', name: 'Auto', description: 'The judge lets through what is harmless; everything else asks.' },
];

export function isMode(id: string): id is Mode {
  return modes.some((mode) => mode.id === id);
}

export function optionsOf({ mode, model }: Pick<ChatMeta, 'mode' | 'model'>, { models, current }: ModelOffer): SessionOptions {
  const offered = models.map(({ id, name }) => ({ value: id, name: name ?? id }));
  const missing = model === undefined || offered.some(({ value }) => value === model) ? [] : [{ value: model, name: model }];
  return {
    modes: { currentModeId: mode, availableModes: modes.map((one) => ({ ...one })) },
    configOptions: [
      {
        ...{ id: modeOption, name: 'Approvals', category: 'mode', type: 'select', currentValue: mode },
        description: 'How much the agent asks before it acts.',
        options: modes.map(({ id, name, description }) => ({ value: id, name, description })),
      },
      {
        ...{ id: modelOption, name: 'Model', category: 'model', type: 'select', currentValue: model ?? usualModel },
        description: 'Which model answers in this chat.',
        options: [{ value: usualModel, name: current === '' ? 'As set' : `As set (${current})` }, ...missing, ...offered],
      },
    ],
  };
}
