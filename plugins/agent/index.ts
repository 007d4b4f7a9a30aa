// The agent: takes messages, runs one turn at a time in each chat, many chats at once.
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { createConversations } from './conversations.ts';
import { declareHooks } from './hooks.ts';
import { recoverTurns } from './recovery.ts';
import { createRoutes } from './routes.ts';
import { createTurns } from './turns.ts';
import { wireEvents } from './wire-events.ts';

export const manifest = {
  name: 'agent',
  requires: ['product', 'storage', 'chats', 'eventLog', 'models', 'tools'],
  provides: ['turns'],
  events: [
    'message_accepted',
    'steer_heard',
    'turn_start',
    'text',
    'tool_start',
    'tool_delta',
    'tool_progress',
    'tool_result',
    'compose_preview',
    'turn_end',
    'conversation_reset',
  ],
  config: Type.Object({
    maxRounds: Type.Integer({
      default: 128,
      minimum: 1,
      maximum: 1000,
      env: 'AGENT_MAX_ROUNDS',
      tab: 'harness',
      apply: 'live',
      title: 'Rounds per turn',
      description: 'How many times one turn may call the model before it ends with what was done so far.',
    }),
    turnTimeoutMs: Type.Integer({
      default: 1_800_000,
      minimum: 0,
      maximum: 86_400_000,
      env: 'AGENT_SEND_TIMEOUT_MS',
      tab: 'harness',
      apply: 'live',
      title: 'Time limit of a turn',
      description: 'Wall clock of a turn in milliseconds; 0 means no limit.',
    }),
    maxTokens: Type.Integer({
      default: 16_000,
      minimum: 256,
      maximum: 200_000,
      env: 'AGENT_MAX_COMPLETION_TOKENS',
      tab: 'models_api',
      apply: 'live',
      title: 'Longest reply',
      description: 'The most tokens the model may write in one reply.',
    }),
    lengthResumes: Type.Integer({
      default: 8,
      minimum: 0,
      maximum: 50,
      env: 'AGENT_LENGTH_RESUME_MAX',
      tab: 'harness',
      apply: 'live',
      title: 'Continue cut replies',
      description: 'How often in a turn a reply that hit its length limit is continued.',
    }),
    sessionMode: Type.Union([Type.Literal(''), Type.Literal('initializer'), Type.Literal('coding')], {
      default: '',
      env: 'AGENT_SESSION_MODE',
      tab: 'session_ui',
      apply: 'live',
      title: 'Mode line',
      description: 'Adds a line to the prompt: initializer sets a project up, coding works on an existing one.',
    }),
  }),
  errors: {
    TURN_IN_PROGRESS: { message: 'A turn is running in this chat. Wait for it, abort it, or send with whenBusy queue or steer.', status: 409 },
    NO_TURN: { message: 'No turn is running in this chat, so there is nothing to abort.', status: 409 },
    INVALID_REQUEST: { message: '{why}', status: 400 },
    TOO_LARGE: { message: '{what} is larger than {limit} bytes; send less.', status: 413 },
    UNEXPECTED: { message: 'The turn failed: {why}. The log of the server has the details.' },
    ABORTED: { message: 'The turn was aborted.' },
    TURN_TIMEOUT: { message: 'The turn took longer than {ms} ms (AGENT_SEND_TIMEOUT_MS) and was ended with what was done so far.' },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  declareHooks(emitter);
  for (const event of wireEvents) registry.add('wire_event', event);

  const conversations = createConversations(registry.services, (chatId) => turns.isBusy(chatId));
  const turns = createTurns(registry, emitter, conversations);
  registry.provide('turns', () => turns);
  registry.defer(() => turns.close(), 'running turns');
  for (const route of createRoutes(registry, emitter, turns)) registry.add('route', route);

  emitter.tap('server.start', () => recoverTurns(registry, emitter, turns));
  emitter.tap('server.stop', () => turns.close(), { order: 'pre' });
  emitter.tap('chat.close', (chatId) => turns.forget(chatId));
  emitter.tap('settings.guard', () => (turns.isBusy() ? registry.error('TURN_IN_PROGRESS') : undefined));
}
