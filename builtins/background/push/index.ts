// Registers push notifications: notifies subscribed browsers of pending decisions and ended turns while their page is closed.
import * as Type from 'typebox';
import { normalizeHosts } from '#lib/setting-texts';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/account/pairing';
import { messageOf } from '#lib/errors';
import { isListedHost } from '#lib/hosts';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/storage';
import type {} from 'agent-harness/plugins/stream';
import { noticeOf, type Notice } from 'agent-harness/transcript';
import { createPushRoutes } from './push-routes.ts';
import { createPushStore, type Subscription } from './push-store.ts';
import type { PushMessage, Sent } from './send-push.ts';

export const manifest = {
  name: 'push',
  requires: ['storage', 'product', 'chats', 'stream'],
  optional: ['pairing'],
  config: Type.Object({
    ownServices: Type.String({
      default: '',
      env: 'AGENT_PUSH_OWN_SERVICES',
      mustFit: true,
      normalize: normalizeHosts,
      words: 'notifications phone unifiedpush ntfy self hosted',
      tab: 'advanced',
      title: 'Self-hosted push services',
      description: 'Comma-separated hosts (name or name:port) of your own push services. They may be in the local network and do not need TLS.',
      apply: 'live',
    }),
    contact: Type.String({
      default: 'mailto:push@example.com',
      pattern: '^(mailto:|https://)[^\\s]+$',
      env: 'AGENT_PUSH_CONTACT',
      words: 'notifications',
      tab: 'advanced',
      title: 'Contact for push services',
      description: 'Email address (mailto:…) or web address at which the operators of push services can contact the sender.',
      apply: 'live',
    }),
  }),
  errors: {
    BAD_SUBSCRIPTION: { message: 'The push subscription is invalid: {why}. Turn notifications off and on again in the browser.', status: 400 },
    NOT_FOUND: { message: "The push subscription '{id}' was not found. GET /api/push lists the subscriptions.", status: 404 },
  },
} as const satisfies PluginManifest;

const daySeconds = 86_400;
/** Lifetime of a notification about an ended turn, in seconds. */
const endedSeconds = 3_600;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, log } = registry;
  const store = createPushStore(services);
  const closing = new AbortController();
  registry.defer(() => closing.abort(), 'push messages being sent');

  const isOwnService = (endpoint: URL): boolean => isListedHost(endpoint, config.ownServices);

  async function send(to: Subscription, message: PushMessage): Promise<Sent> {
    const { sendPush } = await import('./send-push.ts');
    const sent = await sendPush(to, message, { key: await store.key(), contact: config.contact, mayBePrivate: isOwnService, signal: closing.signal });
    if (sent.kind === 'gone') await store.remove(({ id }) => id === to.id);
    return sent;
  }

  /** Returns whether the subscriber still has access. A revoked device has none, even if its subscription has not been removed yet. */
  async function mayNotify({ by }: Subscription): Promise<boolean> {
    if (by.kind !== 'device') return by.kind === 'owner';
    return (await services.pairing?.devices())?.some(({ id }) => id === by.id) === true;
  }

  async function sendNotice(notice: Notice, ttl: number): Promise<void> {
    const { subscriptions = [] } = (await store.read()) ?? {};
    await Promise.all(
      subscriptions.map(async (one) => {
        if (!(await mayNotify(one))) return void (await store.remove(({ id }) => id === one.id));
        const { tag, title, body, chatId } = notice;
        const sent = await send(one, { content: { tag, title, body, url: `/#/chat/${encodeURIComponent(chatId)}` }, ttl, isUrgent: notice.isWaiting });
        if (sent.kind === 'failed') log.warn(`a push message to '${one.name}' could not be sent: ${sent.why}`);
      }),
    );
  }

  function onEvent(event: Parameters<typeof noticeOf>[0], ttl: number): void {
    const work = async (): Promise<void> => {
      if (((await store.read())?.subscriptions.length ?? 0) === 0) return;
      const { title } = await services.chats.get(event.chatId);
      const notice = noticeOf(event, title);
      if (notice) await sendNotice(notice, ttl);
    };
    work().catch((fault: unknown) => log.warn(`push messages could not be sent: ${messageOf(fault)}`));
  }

  const now = (): string => new Date().toISOString();
  const secondsUntil = (at: string | undefined): number => (at === undefined ? daySeconds : Math.max(1, Math.round((Date.parse(at) - Date.now()) / 1000)));
  emitter.on('tool_approval', (event) => onEvent({ kind: 'tool_approval', at: now(), ...event }, secondsUntil(event.expiresAt)));
  emitter.on('ask_user', (event) => onEvent({ kind: 'ask_user', at: now(), ...event }, daySeconds));
  emitter.on('turn_end', (event) => {
    // A user with an open page sees the chat itself.
    if (!services.stream.isRead(event.chatId)) onEvent({ kind: 'turn_end', at: now(), ...event }, endedSeconds);
  });
  const forget = (isGone: (one: Subscription) => boolean): void =>
    void store.remove(isGone).catch((fault: unknown) => log.warn(`push subscriptions could not be removed: ${messageOf(fault)}`));
  // Browsers with the old token must subscribe again with the new one.
  emitter.on('token_rotated', () => forget(({ by }) => by.kind === 'owner'));
  const { pairing } = services;
  if (pairing) {
    const isKnown = async (): Promise<ReadonlySet<string>> => new Set((await pairing.devices()).map(({ id }) => id));
    const watching = pairing.watch(() => void isKnown().then((known) => forget(({ by }) => by.kind === 'device' && !known.has(by.id))));
    registry.defer(() => watching.dispose(), 'push subscriptions of revoked devices');
  }

  const makeError = registry.error.bind(registry);
  async function tryOut(to: Subscription): Promise<string | undefined> {
    const content = {
      tag: 'push',
      title: 'Notifications are on',
      body: 'This browser notifies you of pending decisions, also while the page is closed.',
      url: '/',
    };
    const sent = await send(to, { content, ttl: 60, isUrgent: false });
    return sent.kind === 'failed' ? sent.why : sent.kind === 'gone' ? 'the push service does not recognize this browser' : undefined;
  }
  for (const route of createPushRoutes({ store, isOwnService, makeError, tryOut })) registry.add('route', route);
}
