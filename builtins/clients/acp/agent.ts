// Implements the agent side of the Agent Client Protocol: each method and its result.
import { lazy } from '#lib/async';
import { realpath } from 'node:fs/promises';
import { textStart } from '#lib/text';
import type * as Acp from '@agentclientprotocol/sdk';
import type { ChatMeta, Client } from 'agent-harness/client';
import { CallError } from 'agent-harness/client';
import { isRecord } from '#lib/values';
import { isUnlisted } from 'agent-harness/transcript';
import type { AcpParts } from './acp-parts.ts';
import { abilitiesOf, noAbilities } from './abilities.ts';
import { createChatSession, type ChatSession } from './sessions/chat-session.ts';
import { createCommandList, type CommandList } from './sessions/command-list.ts';
import { createEditorLink, type EditorLink } from './editor/editor-link.ts';
import { createModelOffers, type ModelOffers } from './sessions/model-offer.ts';
import { pageOf } from './sessions/session-list.ts';
import { changeOf, modelOption, modeOption } from './sessions/session-options.ts';
import { authMethodsOf, signIn, signOut } from './asking/sign-in.ts';
import type { ServerLink } from './server-link.ts';
import type { CheckedMethod, ParamsOf } from './wire/params.ts';
import type { Peer, RequestContext } from './wire/peer.ts';
import { WireError, wireCodes } from './wire/wire-error.ts';

const protocolVersion = 1;

export interface Agent {
  request(method: string, params: unknown, context: RequestContext): Promise<object>;
  notification(method: string, params: unknown): void;
  /** Handles the editor's disconnection: running work continues. */
  leave(): void;
}

type Methods = { readonly [M in Exclude<CheckedMethod, 'session/cancel'>]: (params: ParamsOf[M], context: RequestContext) => Promise<object> };

/** The dependencies that need the server. */
interface Tools {
  readonly client: Client;
  readonly models: ModelOffers;
  readonly commands: CommandList;
  readonly editor: EditorLink;
}

export function createAgent(parts: AcpParts, link: ServerLink, peer: () => Peer): Agent {
  const { product } = parts.services;
  const sessions = new Map<string, ChatSession>();
  /** Pending prompts; a stop may arrive before their work starts. */
  const prompts = new Set<{ readonly sessionId: unknown; readonly stop: AbortController }>();
  let abilities = noAbilities;
  let tools: Tools | undefined;

  /** The schema compiler is loaded with the first request to check. */
  const checks = lazy(() => import('./wire/params.ts').then(({ createParamsCheck }) => createParamsCheck()));

  async function server(): Promise<Tools> {
    const client = await link.client();
    return (tools ??= begin(client));
  }

  function begin(client: Client): Tools {
    const models = createModelOffers(client);
    const commands = createCommandList(client);
    const refresh = (): void => sessions.forEach((session) => session.refresh());
    models.onChange(refresh);
    client.chats.subscribe(refresh);
    client.on(({ kind }) => kind === 'settings_changed' && void models.read());
    link.onRenewed(() => sessions.forEach((session) => session.bringAgain()));
    commands.onChange((chatId, list) => sessions.get(chatId)?.tellCommands(list));
    const editor = createEditorLink({
      abilities,
      peer: peer(),
      show: async (chatId, callId, terminalId) => sessions.get(chatId)?.showTerminal(callId, terminalId),
      origin: link.origin,
      token: () => parts.services.webToken.current(),
    });
    return { client, models, commands, editor };
  }

  /** Opens the session of a chat. Rejects with `not found` if the chat does not exist. */
  async function open(chatId: string): Promise<ChatSession> {
    const known = sessions.get(chatId);
    if (known) return known;
    const { client } = await server();
    return hold(await client.call('GET /api/chats/:id', { params: { id: chatId } }));
  }

  async function hold(meta: ChatMeta): Promise<ChatSession> {
    const { client, models, editor } = await server();
    await models.read();
    const session = createChatSession(meta, { client, models, peer: peer(), abilities, editor });
    sessions.set(meta.chatId, session);
    return session;
  }

  /** Starts reporting after the reply, because some editors attribute earlier updates to another session. */
  function goLive(session: ChatSession, { after }: RequestContext): void {
    after(() => {
      void session.begin().catch(() => undefined); // the next prompt reports the fault
      void server().then(async ({ commands }) => session.tellCommands(await commands.read(session.chatId)));
    });
  }

  function findSession(sessionId: string): ChatSession {
    const session = sessions.get(sessionId);
    if (!session) throw new WireError(wireCodes.notFound, `There is no open session '${sessionId}'; load or resume it first.`);
    return session;
  }

  const methods: Methods = {
    async authenticate({ methodId }, { signal }) {
      const { client } = await server();
      await signIn({ client, peer: peer(), abilities, product }, methodId, signal);
      return {};
    },
    async logout() {
      await signOut((await server()).client);
      return {};
    },
    async 'session/new'({ cwd, ...given }, context) {
      const { client } = await server();
      const meta = await client.call('POST /api/chats', { body: { workspaceMode: 'folder', workspaceRoot: cwd, activate: false } });
      const session = await hold(meta);
      session.bring({ cwd, ...given }, true);
      goLive(session, context);
      return { sessionId: meta.chatId, ...session.options() };
    },
    async 'session/load'({ sessionId, ...given }, context) {
      // Discards the open session: loading must send all earlier updates again.
      sessions.get(sessionId)?.leave();
      sessions.delete(sessionId);
      const session = await open(sessionId);
      session.bring(given, false);
      await session.replay();
      goLive(session, context);
      return session.options();
    },
    async 'session/resume'({ sessionId, ...given }, context) {
      const session = await open(sessionId);
      session.bring(given, false);
      await session.skip();
      goLive(session, context);
      return session.options();
    },
    async 'session/list'({ cwd, cursor }) {
      const { client } = await server();
      const { chats } = await client.call('GET /api/chats');
      const folder = cwd ?? undefined;
      const used = chats.filter((chat) => sessions.has(chat.chatId) || !isUnlisted(chat));
      return pageOf(used, folder === undefined ? undefined : await realpath(folder).catch(() => folder), cursor ?? undefined);
    },
    async 'session/close'({ sessionId }) {
      await sessions.get(sessionId)?.close();
      sessions.delete(sessionId);
      return {};
    },
    async 'session/delete'({ sessionId }) {
      await sessions.get(sessionId)?.close();
      sessions.delete(sessionId);
      const { client } = await server();
      await client.call('DELETE /api/chats/:id', { params: { id: sessionId } }).catch((fault: unknown) => {
        // The session is already gone, which is the requested state.
        if (!(fault instanceof CallError) || fault.status !== 404) throw fault;
      });
      return {};
    },
    async 'session/prompt'({ sessionId, prompt }, { signal }) {
      const session = findSession(sessionId);
      // Restarts the server if it has ended.
      await server();
      return session.prompt(prompt, signal);
    },
    async 'session/set_mode'({ sessionId, modeId }) {
      await setOption(findSession(sessionId), modeOption, modeId);
      return {};
    },
    async 'session/set_config_option'({ sessionId, configId, value }) {
      const session = await setOption(findSession(sessionId), configId, value);
      return { configOptions: session.options().configOptions };
    },
    async 'session/set_model'({ sessionId, modelId }) {
      await setOption(findSession(sessionId), modelOption, modelId);
      return {};
    },
  };

  /** Registers the prompt synchronously on receipt. */
  async function prompted(params: unknown, context: RequestContext): Promise<object> {
    const stop = new AbortController();
    const own = { sessionId: isRecord(params) ? params['sessionId'] : undefined, stop };
    prompts.add(own);
    try {
      return await methods['session/prompt']((await checks())('session/prompt', params), {
        ...context,
        signal: AbortSignal.any([context.signal, stop.signal]),
      });
    } finally {
      prompts.delete(own);
    }
  }

  return {
    async request(method, params, context) {
      if (method === 'initialize') {
        const reply = initialize(params, parts.services);
        abilities = abilitiesOf(params as Acp.InitializeRequest);
        return reply;
      }
      if (method === 'session/prompt') return prompted(params, context);
      if (!Object.hasOwn(methods, method)) throw new WireError(wireCodes.unknownMethod, `There is no method '${textStart(method, 100)}'.`);
      const known = method as keyof Methods;
      const checked = (await checks())(known, params);
      return (methods[known] as (params: unknown, context: RequestContext) => Promise<object>)(checked, context);
    },
    notification(method, params) {
      if (method !== 'session/cancel') return;
      const { sessionId } = (params ?? {}) as Partial<Acp.CancelNotification>;
      if (typeof sessionId !== 'string') return;
      for (const prompt of prompts) if (prompt.sessionId === sessionId) prompt.stop.abort();
      sessions.get(sessionId)?.cancel();
    },
    leave() {
      for (const session of sessions.values()) session.leave();
      sessions.clear();
      tools?.editor.close();
    },
  };
}

/** Checks the editor's request and returns the reply. Throws if the protocol version is not a whole number. */
function initialize(params: unknown, { product, http }: AcpParts['services']): Acp.InitializeResponse {
  const { protocolVersion: asked } = (params ?? {}) as Partial<Acp.InitializeRequest>;
  if (typeof asked !== 'number' || !Number.isInteger(asked))
    throw new WireError(wireCodes.invalidParams, "initialize: 'protocolVersion' must be a whole number.");
  return {
    protocolVersion,
    agentInfo: { name: product.name, title: product.title, version: product.version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
      ...(http.has('POST /api/hub/logout') ? { auth: { logout: {} } } : {}),
    },
    authMethods: authMethodsOf(http, abilitiesOf(params as Acp.InitializeRequest)),
  };
}

async function setOption(session: ChatSession, option: string, value: unknown): Promise<ChatSession> {
  if (!session.options().configOptions.some(({ id }) => id === option)) throw new WireError(wireCodes.invalidParams, `There is no option '${option}'.`);
  const change = typeof value === 'string' && value !== '' ? changeOf(option, value) : undefined;
  if (!change) throw new WireError(wireCodes.invalidParams, `'${option}' cannot be '${String(value)}'.`);
  await session.set(change);
  session.refresh();
  return session;
}
