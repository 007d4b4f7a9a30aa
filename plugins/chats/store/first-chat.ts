// Determines the active chat. The first chat is planned when it is read, and created on first use. Both use the same plan, so the created chat is the one
// that was shown before.
import type { ActiveChat } from './active-chat.ts';
import type { MetaCache } from './meta-cache.ts';
import type { SavedMeta } from './saved-meta.ts';

export interface FirstChatParts {
  readonly activeChat: ActiveChat;
  readonly metas: Pick<MetaCache, 'get'>;
  draft(): Promise<SavedMeta>;
  /** Creates the planned chat, and activates it if requested. */
  create(plan: SavedMeta, activate: boolean): Promise<SavedMeta>;
}

export interface FirstChat {
  /** Returns the active chat, which is created if there is none. */
  active(): Promise<SavedMeta>;
  /** Returns the active chat; creates no chat. */
  peekActive(): Promise<SavedMeta | undefined>;
  /** Returns the plan of the first chat; with an id, only if it is planned already. */
  peek(chatId?: string): Promise<SavedMeta | undefined>;
  /** Returns a chat. Creates the planned one, because clients that read it may use its id. */
  find(chatId: string): Promise<SavedMeta | undefined>;
}

export function createFirstChat({ activeChat, metas, draft, create }: FirstChatParts): FirstChat {
  let making: Promise<SavedMeta> | undefined;
  /** The planned first chat, until its first use. */
  let planned: Promise<SavedMeta> | undefined;

  function plan(): Promise<SavedMeta> {
    return (planned ??= draft().catch((fault: unknown) => {
      planned = undefined;
      throw fault;
    }));
  }

  function make(meta: SavedMeta, activate: boolean): Promise<SavedMeta> {
    return (making ??= create(meta, activate)
      .then((made) => {
        planned = undefined;
        return made;
      })
      .finally(() => (making = undefined)));
  }

  async function peekActive(): Promise<SavedMeta | undefined> {
    await activeChat.read();
    const { id } = activeChat;
    const known = id === undefined ? undefined : await metas.get(id);
    if (id === undefined || known) return known;
    // The active chat was deleted, but not replaced yet.
    await activeChat.replace(id);
    return activeChat.id === undefined ? undefined : find(activeChat.id);
  }

  async function find(chatId: string): Promise<SavedMeta | undefined> {
    const known = await metas.get(chatId);
    if (known) return known;
    const meta = await planned;
    if (meta?.chatId === chatId) await make(meta, activeChat.id === undefined);
    // A concurrent call may have created the chat.
    return metas.get(chatId);
  }

  return {
    peekActive,
    find,
    active: async () => (await peekActive()) ?? make(await plan(), true),
    async peek(chatId) {
      const meta = await (chatId === undefined ? plan() : planned);
      return chatId === undefined || chatId === meta?.chatId ? meta : undefined;
    },
  };
}
