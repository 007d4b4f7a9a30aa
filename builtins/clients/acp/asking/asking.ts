// Sends a chat's pending decisions to the editor: approvals, questions and the input of view actions.
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { Client, OpenChat } from 'agent-harness/client';
import type { Question, Transcript } from 'agent-harness/transcript';
import { cardOf } from '../projection/tool-card.ts';
import type { Peer } from '../wire/peer.ts';
import { createPermissions, type PermissionsOptions } from './permissions.ts';
import { createQuestions, type QuestionsOptions } from './questions.ts';
import { createViewActions, type ViewActions } from './view-actions.ts';

export interface AskingOptions {
  readonly client: Client;
  readonly chat: OpenChat;
  readonly peer: Peer;
  /** Absolute path of the workspace. */
  readonly root: string;
  /** Whether the editor can ask the user with a form. */
  readonly hasForms: boolean;
  tell(update: SessionUpdate): void;
  /** Called once for each question that the user must answer with the next prompt, because the editor has no forms. */
  askInWords(question: Question): void;
}

export interface Asking extends Pick<ViewActions, 'complete'> {
  see(state: Transcript): void;
  /** Withdraws all requests. */
  withdraw(): void;
}

export function createAsking({ client, chat, peer, root, hasForms, tell, askInWords }: AskingOptions): Asking {
  const { chatId } = chat;
  const permit: PermissionsOptions['ask'] = async (toolCall, options, signal) =>
    (await peer.request('session/request_permission', { sessionId: chatId, toolCall, options }, signal)) as Awaited<ReturnType<typeof permit>>;
  const fill: QuestionsOptions['ask'] = async (request, signal) =>
    (await peer.request('elicitation/create', { sessionId: chatId, ...request }, signal)) as Awaited<ReturnType<typeof fill>>;
  const isAlone = async (): Promise<boolean> => ((await client.call('GET /api/status')).clients ?? 0) <= 1;
  const permissions = createPermissions({ chat, card: (entry) => cardOf(entry, root), tell, isAlone, ask: permit });
  const questions = createQuestions({ chat, ask: fill });
  const viewActions = createViewActions({ client, chatId, hasForms, tell, fill, permit });
  let askedId: string | undefined;

  return {
    see(state) {
      permissions.see(state);
      if (hasForms) return questions.see(state);
      const [question] = state.questions;
      if (!question || question.askId === askedId) return;
      askedId = question.askId;
      askInWords(question);
    },
    complete: (line, signal) => viewActions.complete(line, signal),
    withdraw() {
      for (const one of [permissions, questions, viewActions]) one.withdraw();
    },
  };
}
