// Builds the section of `GET /api/config` that describes the active chat.
import * as Type from 'typebox';
import type { ReplySection } from 'agent-harness/plugins/http';
import type { ChatStore } from './store/chat-store.ts';

const activeChat = Type.Object({
  chatId: Type.String(),
  title: Type.String(),
  workspaceMode: Type.String(),
  workspaceRoot: Type.Optional(Type.String({ 'x-permission': 'workspaces.read' })),
  workspaceFingerprint: Type.Optional(Type.String({ 'x-permission': 'workspaces.read' })),
});
const fields = Type.Object({ activeChat: Type.Union([activeChat, Type.Null()]) });

export function activeChatSection(chats: () => Pick<ChatStore, 'peekActive'>): ReplySection<typeof fields> {
  return {
    route: 'GET /api/config',
    name: 'activeChat',
    fields,
    async read() {
      const active = await chats().peekActive();
      if (!active) return { activeChat: null };
      const { chatId, title, workspaceMode, workspaceRoot, workspaceFingerprint } = active;
      return { activeChat: { chatId, title, workspaceMode, workspaceRoot, workspaceFingerprint } };
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface ReplyFields {
    'GET /api/config activeChat': typeof fields;
  }
}
