// Collects the plugins' translations for the page, and serves them.
import * as Type from 'typebox';
import type { PointHandler } from 'agent-harness/kernel';
import { isRecord } from '#lib/values';
import type { Route } from 'agent-harness/plugins/http';
import type { UiMessage, UiMessages } from './contract.ts';

export interface MessageRegistry {
  readonly handler: PointHandler<UiMessages>;
  /** Returns the languages of all plugins, without duplicates. */
  languages(): readonly string[];
  /** Returns the messages of all plugins; if two conflict, the later one wins. */
  of(language: string): Readonly<Record<string, UiMessage>>;
}

const forms = ['zero', 'one', 'two', 'few', 'many', 'other'];
/** Maximum number of messages of one contribution; the page has fewer texts. */
const maxMessages = 10_000;
const longest = 10_000;

export function createMessageRegistry(): MessageRegistry {
  const all = new Set<UiMessages>();
  return {
    handler: {
      validate: checkMessages,
      added: (one) => void all.add(one),
      removed: (one) => void all.delete(one),
    },
    languages: () => [...new Set([...all].map(({ language }) => language))],
    of: (language) => Object.assign({}, ...[...all].filter((one) => one.language === language).map(({ messages }) => messages)) as Record<string, UiMessage>,
  };
}

/** Returns the error in messages; `undefined` for valid ones. Any part may be missing, because the input comes from JavaScript. */
function checkMessages(given: UiMessages): string | undefined {
  const { language, messages } = (given ?? {}) as Partial<UiMessages>;
  if (typeof language !== 'string' || !isTag(language)) return `messages need a language like 'de' or 'pt-BR', not '${String(language)}'.`;
  if (language === 'en') return "the English sentences are the names of the messages, so there are no messages for 'en'.";
  if (!isRecord(messages)) return `the messages of '${language}' are an object: the English sentence, and what stands for it.`;
  const entries = Object.entries(messages);
  if (entries.length > maxMessages) return `the messages of '${language}' are ${entries.length}; there may be ${maxMessages}.`;
  const wrong = entries.find(([, message]) => !isMessage(message))?.[0];
  return wrong === undefined
    ? undefined
    : `the message '${wrong.slice(0, 80)}' of '${language}' is neither a text nor an object with texts for ${forms.join(', ')}, of which 'other' must be there.`;
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language)[0] === language;
  } catch {
    return false;
  }
}

function isMessage(message: unknown): boolean {
  if (typeof message === 'string') return message.length <= longest;
  if (!isRecord(message) || !('other' in message)) return false;
  return Object.entries(message).every(([form, text]) => forms.includes(form) && typeof text === 'string' && text.length <= longest);
}

const some = Type.Optional(Type.String());
const text = Type.Union([Type.String(), Type.Object({ zero: some, one: some, two: some, few: some, many: some, other: Type.String() })]);
const asked = {
  query: Type.Object({
    language: Type.Optional(
      Type.String({ maxLength: 35, description: 'Language as a BCP 47 tag, as plugins define it; omitted: the reply contains no messages.' }),
    ),
  }),
  reply: Type.Object({ languages: Type.Array(Type.String()), messages: Type.Record(Type.String(), text) }),
};

export function createMessagesRoute(messages: MessageRegistry): Route<typeof asked> {
  return {
    key: 'GET /api/ui/messages',
    summary: 'Lists the languages of the translations that plugins contribute to the page, and returns those of one language.',
    tag: 'page',
    permission: 'server.read',
    schema: asked,
    waitsForReady: true,
    handle: async ({ query: { language } }) => ({
      languages: [...messages.languages()],
      messages: language === undefined ? {} : (messages.of(language) as never),
    }),
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/ui/messages': typeof asked;
  }
}
