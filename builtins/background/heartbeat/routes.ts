// Serves the HTTP routes of the heartbeat.
import * as Type from 'typebox';
import type { KernelError } from 'agent-harness/kernel';
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { HeartbeatView } from './view.ts';
import type { OpenHeartbeat } from './open-heartbeat.ts';

export interface RouteParts {
  readonly chats: Chats;
  open(): Promise<OpenHeartbeat>;
  view(chatId: string | undefined): Promise<HeartbeatView>;
  notFound(runId: string): KernelError;
}

const strict = { additionalProperties: false };
const text = Type.String();
const optional = Type.Optional;
const count = Type.Integer();
const usd = Type.Union([Type.Number(), Type.Null()], { description: 'USD; null if the provider reports none.' });

const nudge = Type.Object({
  text,
  confidence: Type.Number(),
  isShown: Type.Boolean(),
  why: optional(Type.String({ description: 'Reason why the nudge is not shown.' })),
  answer: optional(Type.Union([Type.Literal('used'), Type.Literal('dismissed')])),
});
const runSchema = Type.Object({
  ...{ runId: text, chatId: text, messageId: text, about: Type.String({ description: 'Beginning of the message that the run considered.' }), at: text },
  outcome: Type.Union(['completed', 'failed', 'skipped', 'interrupted'].map((name) => Type.Literal(name))),
  ...{ reason: optional(text), summary: optional(text), ms: optional(count), input: optional(count), output: optional(count), cost: optional(Type.Number()) },
  ...{
    reflections: optional(Type.Array(text)),
    memory: optional(Type.Object({ kept: count, inbox: count, refused: count }, { description: 'Numbers of stored, pending and rejected notes of the run.' })),
    nudge: optional(nudge),
  },
});
const day = Type.Object({ day: text, runs: count, failed: count, shown: count, used: count, dismissed: count });
const view = Type.Object({
  isOn: Type.Boolean(),
  surface: text,
  state: Type.Union(
    ['off', 'idle', 'waiting', 'thinking', 'muted', 'quiet_hours', 'no_model'].map((name) => Type.Literal(name)),
    { description: 'Current state of the heartbeat for that chat.' },
  ),
  dueAt: optional(Type.String({ description: 'Earliest time of the waiting run, ISO 8601; omitted if no run is waiting.' })),
  last: optional(runSchema),
  nudge: optional(Type.Object({ run: runSchema }, { description: 'Newest nudge of that chat that is shown and not answered.' })),
  today: Type.Object({ ...day.properties, cost: usd }),
  gate: optional(Type.Object({ least: Type.Number({ description: 'Value of the setting.' }), now: Type.Union([Type.Number(), Type.Null()]), steps: count })),
  quietHours: text,
});

export const schemas = {
  get: { query: Type.Object({ chatId: optional(text) }, strict), reply: view },
  runs: {
    query: Type.Object({ chatId: optional(text), limit: optional(Type.Integer({ minimum: 1, maximum: 50 })) }, strict),
    reply: Type.Object({ runs: Type.Array(runSchema), days: Type.Array(day) }),
  },
  answer: {
    params: Type.Object({ runId: text }),
    body: Type.Object({ answer: Type.Union([Type.Literal('used'), Type.Literal('dismissed'), Type.Null()]) }, strict),
    reply: Type.Object({ ok: Type.Boolean() }),
  },
  mute: { body: Type.Object({ isMuted: Type.Boolean() }, strict), reply: Type.Object({ isMuted: Type.Boolean() }) },
  less: { body: Type.Object({ chatId: text, isLess: Type.Boolean() }, strict), reply: Type.Object({ steps: count }) },
};

/** Fields that the heartbeat adds to `GET /api/config`. */
export const configFields = Type.Object({ heartbeatEnabled: Type.Boolean(), heartbeatUiStrip: Type.Boolean() });

export function heartbeatRoutes({ chats, open, view: viewOf, notFound }: RouteParts): readonly Route<never>[] {
  const tag = 'heartbeat';
  const get: Route<typeof schemas.get> = {
    ...{ key: 'GET /api/heartbeat', summary: 'Returns the state of the heartbeat, its last run, its cost today, and the newest nudge of a chat.', tag },
    ...{ permission: 'chats.read', schema: schemas.get },
    handle: async ({ query }) => viewOf(query.chatId === undefined ? chats.activeId : (await chats.get(query.chatId)).chatId) as never,
  };
  const runs: Route<typeof schemas.runs> = {
    ...{ key: 'GET /api/heartbeat/runs', summary: 'Lists the latest runs of the heartbeat, newest first, and the totals of each day.', tag },
    ...{ permission: 'chats.read', schema: schemas.runs },
    async handle({ query: { chatId, limit = 20 } }) {
      if (chatId !== undefined) await chats.get(chatId);
      const { state } = (await open()).ledger;
      const found = state.runs.filter((run) => chatId === undefined || run.chatId === chatId).toReversed();
      return { runs: found.slice(0, limit), days: Object.entries(state.days).map(([name, sums]) => ({ day: name, ...sums })) } as never;
    },
  };
  const answer: Route<typeof schemas.answer> = {
    ...{ key: 'PUT /api/heartbeat/nudges/:runId', summary: 'Records that a nudge was used or dismissed; null removes that record.', tag },
    ...{ permission: 'chats.write', schema: schemas.answer },
    async handle({ params, body }) {
      if (!(await (await open()).answer(params.runId, body.answer ?? undefined))) throw notFound(params.runId);
      return { ok: true };
    },
  };
  const mute: Route<typeof schemas.mute> = {
    ...{ key: 'PUT /api/heartbeat/mute', summary: 'Mutes the heartbeat for the rest of the day, or unmutes it.', tag },
    ...{ permission: 'chats.write', schema: schemas.mute },
    async handle({ body }) {
      await (await open()).mute(body.isMuted);
      return { isMuted: body.isMuted };
    },
  };
  const less: Route<typeof schemas.less> = {
    ...{ key: 'PUT /api/heartbeat/less', summary: 'Reduces the nudges of a chat: raises the required confidence by one step, or resets it.', tag },
    ...{ permission: 'chats.write', schema: schemas.less },
    handle: async ({ body }) => ({ steps: await (await open()).less((await chats.get(body.chatId)).chatId, body.isLess) }),
  };
  return [get, runs, answer, mute, less] as unknown as readonly Route<never>[];
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/heartbeat': typeof schemas.get;
    'GET /api/heartbeat/runs': typeof schemas.runs;
    'PUT /api/heartbeat/nudges/:runId': typeof schemas.answer;
    'PUT /api/heartbeat/mute': typeof schemas.mute;
    'PUT /api/heartbeat/less': typeof schemas.less;
  }
  interface ReplyFields {
    'GET /api/config heartbeat': typeof configFields;
  }
}
